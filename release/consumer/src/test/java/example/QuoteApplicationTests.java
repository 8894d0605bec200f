package example;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class QuoteApplicationTests {

	@LocalServerPort
	private int port;

	@Test
	void deniesTheEleventhCall() throws Exception {
		List<HttpResponse<String>> responses = new ArrayList<>();
		HttpClient client = HttpClient.newHttpClient();
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/quotes")).build();
		for (int call = 1; call <= 11; call++) {
			responses.add(client.send(request, BodyHandlers.ofString()));
		}
		assertThat(responses.subList(0, 10)).extracting(HttpResponse::statusCode).containsOnly(200);
		assertThat(responses.get(10).statusCode()).isEqualTo(429);
		assertThat(responses.get(10).headers().firstValue("Retry-After")).isPresent();
	}

}
