package io.github.ratelimit.spring.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.spring.web.Response;
import io.github.ratelimit.store.StoreOperation;
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

	private final RateLimitedClients clients = new RateLimitedClients(this.limiter, this.policies, this.pauses);

	@Override
	int call(String policy, String uri) {
		return call(this.clients.interceptor(policy), uri);
	}

	@Override
	int call(String policy, Function<URI, String> key, String uri) {
		return call(this.clients.interceptor(policy, (request) -> key.apply(request.getURI())), uri);
	}

	@Override
	int call(String policy, long cost, String uri) {
		return call(this.clients.interceptor(policy, (request) -> String.valueOf(request.getURI()), (request) -> cost),
				uri);
	}

	@Test
	void cancelsTheWaitIfTheThreadIsInterrupted() {
		this.responses.add(Response.tooManyRequests("7"));
		call("patient", "https://partner.example/");
		this.clock.interrupt();
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> call("patient", "https://partner.example/"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.calls).hasSize(1);
	}

	@Test
	void refundsWithoutBlockingIfTheThreadIsInterruptedAfterTheCharge() {
		this.store.afterNextDecision(() -> {
			this.pauses.pause("patient", "one", Duration.ofSeconds(7));
			this.clock.interrupt();
			this.store.refuseBlocking();
		});
		assertThatExceptionOfType(CancelledWaitException.class)
			.isThrownBy(() -> call("patient", (uri) -> "one", "https://partner.example/"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.calls).isEmpty();
		assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(1);
	}

	@Test
	void limitsARestTemplate() {
		RestTemplate template = new RestTemplate(this::request);
		template.getInterceptors().add(this.clients.interceptor("strict"));
		this.responses.add(Response.tooManyRequests("7"));
		template.setErrorHandler((response) -> false);
		assertThat(template.getForEntity("https://partner.example/", String.class).getStatusCode().value())
			.isEqualTo(429);
		assertThatExceptionOfType(UpstreamPausedException.class)
			.isThrownBy(() -> template.getForEntity("https://partner.example/", String.class));
	}

	@Test
	void chargesCallsWithoutAHostTogether() {
		assertThat(RateLimitedClients.host(URI.create("/things"))).isEqualTo("global");
	}

	@Test
	void readsADateByTheClockOfTheResponse() {
		Response response = Response.tooManyRequests("Sat, 21 Nov 2026 20:00:20 GMT");
		response.headers().set("Date", "Sat, 21 Nov 2026 20:00:10 GMT");
		this.responses.add(response);
		call("patient", "https://partner.example/");
		call("patient", "https://partner.example/");
		assertThat(this.calls.get(1).minus(this.calls.get(0))).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void readsADateByItsOwnClockIfTheResponseHasNone() {
		Response response = Response.tooManyRequests("Sat, 21 Nov 2026 12:03:20 GMT");
		response.headers().set("Date", "never");
		this.responses.add(response);
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
				Response upstream = respond();
				MockClientHttpResponse response = new MockClientHttpResponse(new byte[0],
						HttpStatus.valueOf(upstream.status()));
				response.getHeaders().putAll(upstream.headers());
				return response;
			}

		};
		return request;
	}

}
