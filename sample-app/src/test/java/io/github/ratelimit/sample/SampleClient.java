package io.github.ratelimit.sample;

import java.util.List;
import java.util.stream.IntStream;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * A client of one running sample.
 */
final class SampleClient {

	private final RestTestClient client;

	SampleClient(ConfigurableApplicationContext sample) {
		String port = sample.getEnvironment().getRequiredProperty("local.server.port");
		this.client = RestTestClient.bindToServer(new JdkClientHttpRequestFactory())
			.baseUrl("http://localhost:" + port)
			.build();
	}

	RestTestClient.ResponseSpec get(String uri) {
		return this.client.get().uri(uri).exchange();
	}

	RestTestClient.ResponseSpec post(String uri, String body) {
		return this.client.post().uri(uri).body(body).exchange();
	}

	List<Integer> statusesOf(int calls, String uri) {
		return IntStream.range(0, calls).mapToObj((call) -> statusOf(get(uri))).toList();
	}

	int statusAs(String user, String password, String uri) {
		return statusOf(
				this.client.get().uri(uri).headers((headers) -> headers.setBasicAuth(user, password)).exchange());
	}

	static int statusOf(RestTestClient.ResponseSpec response) {
		return response.returnResult(String.class).getStatus().value();
	}

}
