package io.github.ratelimit.spring.ai;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of the prompts of calls without reported usage, and of impossible reports.
 */
class UnreportedUsageTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int TOKENS = 100_000;

	private static final String LONG_PROMPT = "word".repeat(TOKENS - 16);

	private final ChatFixture limits = new ChatFixture().with("requests", "1000/1m")
		.with("tokens", "1000000/1h")
		.with("money", "1000000/1h");

	@ParameterizedTest
	@CsvSource({ "P95, 0", "P95, 2", "FIXED, 0", "FIXED, 2" })
	void aCancelledStreamPaysItsPrompt(TokenReserve.Kind reserve, int parts) {
		TestPublisher<ChatResponse> answer = TestPublisher.create();
		ChatClient client = client(new TokenReserve(reserve, 1000), StubModel.answering((prompt) -> answer.flux()));
		StepVerifier.create(client.prompt(LONG_PROMPT).stream().content()).then(() -> {
			answer.assertWasSubscribed();
			for (int part = 0; part < parts; part++) {
				answer.next(StubModel.part());
			}
		}).expectNextCount(parts).thenCancel().verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(1_000_000 - TOKENS);
		assertThat(this.limits.left("money")).isEqualTo(1_000_000 - TOKENS / 2);
	}

	@Test
	void cancelledStreamsSpendNoMoreThanTheLimit() {
		StubModel model = StubModel.answering((prompt) -> Flux.never());
		ChatClient client = client(TokenReserve.p95(1000), model);
		for (int call = 0; call < 20; call++) {
			StepVerifier
				.create(client.prompt(LONG_PROMPT).stream().content().onErrorComplete(RateLimitExceededException.class))
				.thenAwait()
				.thenCancel()
				.verify(PATIENCE);
		}
		assertThat(model.calls()).isEqualTo(10);
	}

	@Test
	void reservesAPromptThatIsLargerThanTheLimitAsTheLimit() {
		this.limits.with("small", "5000/1m");
		ChatClient client = ChatFixture.client(StubModel.answering(StubModel.part()),
				this.limits.clients().advisors(new ChatPolicies(List.of(), List.of("small"), List.of())));
		client.prompt(LONG_PROMPT).call().content();
		pass(Duration.ofMinutes(19));
		assertThat(this.limits.left("small")).isZero();
		pass(Duration.ofMinutes(1));
		assertThat(this.limits.left("small")).isEqualTo(5000);
	}

	@ParameterizedTest
	@MethodSource("failuresWithoutWork")
	void aCallThatTheProviderHasNotWorkedOnPaysNothing(Exception failure) {
		ChatClient client = client(TokenReserve.p95(1000), StubModel.answering((prompt) -> Flux.error(failure)));
		assertThatException().isThrownBy(() -> client.prompt(LONG_PROMPT).call().content());
		this.limits.pauses.pass(Duration.ofMinutes(2));
		StepVerifier.create(client.prompt(LONG_PROMPT).stream().content()).expectError().verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(1_000_000);
		assertThat(this.limits.left("money")).isEqualTo(1_000_000);
	}

	static List<Exception> failuresWithoutWork() {
		return List.of(new IllegalStateException(new IOException(new ConnectException("refused"))),
				new IllegalStateException(new UnknownHostException("provider")),
				new ProviderException(429, new ProviderHeaders(Map.of("retry-after", List.of("1")))));
	}

	@Test
	void aReportThatCannotBeTrueCostsTheLimitOfItsPeriodOrAnHour() {
		this.limits.with("minute", "1000/1m").with("day", "1000000/1d");
		ChatClient client = ChatFixture.client(StubModel.answering(StubModel.part(Integer.MAX_VALUE, 0)),
				this.limits.clients().advisors(new ChatPolicies(List.of(), List.of("minute", "day"), List.of())));
		CallTests.ask(client);
		assertThat(this.limits.left("day")).isZero();
		pass(Duration.ofMinutes(59));
		assertThat(this.limits.left("minute")).isZero();
		pass(Duration.ofMinutes(1));
		assertThat(this.limits.left("minute")).isEqualTo(1000);
		pass(Duration.ofHours(23));
		assertThat(this.limits.left("day")).isGreaterThan(900_000);
	}

	@Test
	void aReportAboveTheMaximumCostIsClamped() {
		this.limits.with("clamping", "100000/1h").with("refusing", "100000/1h");
		limitCost("clamping", true);
		limitCost("refusing", false);
		ChatClient client = ChatFixture.client(StubModel.answering(StubModel.part(3000, 0)), this.limits.clients()
			.advisors(new ChatPolicies(List.of(), List.of("clamping", "refusing"), List.of())));
		CallTests.ask(client);
		assertThat(this.limits.left("clamping")).isEqualTo(100_000 - 2000);
		assertThat(this.limits.left("refusing")).isEqualTo(100_000 - 3000);
	}

	private void pass(Duration time) {
		this.limits.micros.addAndGet(time.toMillis() * 1000);
	}

	private void limitCost(String name, boolean clamps) {
		Policy policy = this.limits.policies.get(name);
		this.limits.policies
			.replace(policy.withOptions(policy.options().withMaxCost(new PolicyOptions.MaxCost(2000, clamps))));
	}

	private ChatClient client(TokenReserve reserve, StubModel model) {
		return ChatFixture.client(model, this.limits.reserving(reserve)
			.advisors(new ChatPolicies(List.of("requests"), List.of("tokens"), List.of("money"))));
	}

}
