package io.github.ratelimit.spring.ai;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.spring.client.UpstreamPausedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProviderPauseTests {

	private final ChatFixture limits = new ChatFixture().with("requests", "50/1m").with("tokens", "10000/1m");

	private RuntimeException failure = new IllegalStateException();

	private boolean fails = true;

	private final StubModel model = StubModel
		.answering((prompt) -> this.fails ? Flux.error(this.failure) : Flux.just(StubModel.part(10, 10)));

	@ParameterizedTest
	@MethodSource("rejections")
	void pausesTheCallsOfAModelUntilItsProviderAllowsThem(RuntimeException rejection) {
		this.failure = rejection;
		ChatClient client = this.limits.client(this.model);
		assertThatException().isThrownBy(() -> CallTests.ask(client)).isSameAs(rejection);
		this.fails = false;
		this.limits.pauses.pass(Duration.ofSeconds(6));
		assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> CallTests.ask(client))
			.withMessage("The upstream of policy 'requests' is paused for another 1 s");
		StepVerifier.create(StreamTests.stream(client)).verifyError(UpstreamPausedException.class);
		assertThat(this.model.calls()).isOne();
		assertThat(this.limits.left("requests")).as("only the call that was made").isEqualTo(49);
		this.limits.pauses.pass(Duration.ofSeconds(1));
		CallTests.ask(client);
		assertThat(this.limits.left("tokens")).isEqualTo(9980);
	}

	@Test
	@SuppressWarnings("ReferenceEquality") // the same exception, not an equal one
	void pausesAfterAStreamThatWasRejectedToo() {
		this.failure = rejections().findFirst().orElseThrow();
		ChatClient client = this.limits.client(this.model);
		StepVerifier.create(StreamTests.stream(client)).verifyErrorMatches((ex) -> ex == this.failure);
		StepVerifier.create(StreamTests.stream(client)).verifyError(UpstreamPausedException.class);
		assertThat(this.limits.left("tokens")).isEqualTo(10000);
	}

	@Test
	void pausesNoOtherModel() {
		this.failure = rejections().findFirst().orElseThrow();
		ChatClient client = this.limits.client(this.model);
		assertThatException().isThrownBy(() -> CallTests.ask(client)).isSameAs(this.failure);
		this.fails = false;
		client.prompt("What time is it?").options(ChatOptions.builder().model("large")).call().content();
		assertThat(this.model.calls()).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("otherFailures")
	void pausesNothingAfterOtherFailures(RuntimeException other) {
		this.failure = other;
		ChatClient client = this.limits.client(this.model);
		assertThatException().isThrownBy(() -> CallTests.ask(client)).isSameAs(other);
		this.fails = false;
		CallTests.ask(client);
		assertThat(this.model.calls()).isEqualTo(2);
	}

	static Stream<RuntimeException> rejections() {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, "7");
		HttpHeaders date = new HttpHeaders();
		date.set(HttpHeaders.RETRY_AFTER, "Sat, 21 Nov 2026 12:00:07 GMT");
		return Stream.of(restClient(HttpStatus.TOO_MANY_REQUESTS, headers),
				restClient(HttpStatus.TOO_MANY_REQUESTS, date), restClient(HttpStatus.SERVICE_UNAVAILABLE, headers),
				WebClientResponseException.create(HttpStatus.TOO_MANY_REQUESTS, "", headers, new byte[0], null, null),
				new ProviderException(429, new ProviderHeaders(Map.of("retry-after", List.of("5", "6.5")))),
				new ProviderException(503, new ProviderHeaders(Map.of("retry-after", List.of("7")))),
				new IllegalStateException(new IllegalArgumentException(
						new ProviderException(429, new ProviderHeaders(Map.of("retry-after", List.of("7")))))));
	}

	static Stream<RuntimeException> otherFailures() {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, "7");
		RuntimeException circle = new IllegalStateException();
		circle.initCause(new IllegalArgumentException(circle));
		return Stream.of(restClient(HttpStatus.BAD_GATEWAY, headers),
				restClient(HttpStatus.TOO_MANY_REQUESTS, new HttpHeaders()),
				new ProviderException(500, new ProviderHeaders(Map.of("retry-after", List.of("7")))),
				new ProviderException(429, null), new ProviderException(429, "retry-after: 7"), circle);
	}

	private static RuntimeException restClient(HttpStatus status, HttpHeaders headers) {
		return HttpClientErrorException.create(status, "", headers, new byte[0], StandardCharsets.UTF_8);
	}

}
