package io.github.ratelimit.spring.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RestClientTests extends OutboundContract {

	private final RateLimitedClients clients = new RateLimitedClients(this.limiter, this.policies, this.upstreams);

	@Override
	int call(String policy, String uri) {
		return call(this.clients.interceptor(policy), uri);
	}

	@Override
	int call(String policy, Function<URI, String> key, String uri) {
		return call(this.clients.interceptor(policy, (request) -> key.apply(request.getURI())), uri);
	}

	@Test
	void givesUpWaitingWhereItsThreadIsInterrupted() {
		this.answers.add(Answer.refusal("7"));
		call("patient", "https://partner.example/");
		this.time.interrupt();
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> call("patient", "https://partner.example/"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.calls).hasSize(1);
	}

	@Test
	void limitsARestTemplateToo() {
		RestTemplate template = new RestTemplate(this::request);
		template.getInterceptors().add(this.clients.interceptor("strict"));
		this.answers.add(Answer.refusal("7"));
		template.setErrorHandler((response) -> false);
		assertThat(template.getForEntity("https://partner.example/", String.class).getStatusCode().value())
			.isEqualTo(429);
		assertThatExceptionOfType(UpstreamHoldException.class)
			.isThrownBy(() -> template.getForEntity("https://partner.example/", String.class));
	}

	@Test
	void chargesCallsWithoutAHostTogether() {
		assertThat(RateLimitedClients.host(URI.create("/things"))).isEqualTo("global");
	}

	@Test
	void takesADateByTheClockOfTheAnswer() {
		Answer refusal = Answer.refusal("Sat, 21 Nov 2026 20:00:20 GMT");
		refusal.headers().set("Date", "Sat, 21 Nov 2026 20:00:10 GMT");
		this.answers.add(refusal);
		call("patient", "https://partner.example/");
		call("patient", "https://partner.example/");
		assertThat(this.calls.get(1).minus(this.calls.get(0))).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void takesADateByItsOwnClockWhereTheAnswerHasNone() {
		Answer refusal = Answer.refusal("Sat, 21 Nov 2026 12:03:20 GMT");
		refusal.headers().set("Date", "never");
		this.answers.add(refusal);
		call("patient", "https://partner.example/");
		call("patient", "https://partner.example/");
		assertThat(this.calls.get(1).minus(this.calls.get(0))).isEqualTo(Duration.ofSeconds(20));
	}

	private int call(ClientHttpRequestInterceptor interceptor, String uri) {
		return RestClient.builder()
			.requestFactory(this::request)
			.requestInterceptor(interceptor)
			.build()
			.get()
			.uri(uri)
			.exchange((request, response) -> response.getStatusCode().value());
	}

	private ClientHttpRequest request(URI uri, HttpMethod method) {
		MockClientHttpRequest request = new MockClientHttpRequest(method, uri) {

			@Override
			protected MockClientHttpResponse executeInternal() {
				Answer answer = answer();
				MockClientHttpResponse response = new MockClientHttpResponse(new byte[0],
						HttpStatus.valueOf(answer.status()));
				response.getHeaders().putAll(answer.headers());
				return response;
			}

		};
		return request;
	}

}
