package io.github.ratelimit.spring.ai;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;

import static org.assertj.core.api.Assertions.assertThat;

class StreamTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final ChatFixture limits = new ChatFixture().with("requests", "5/1m").with("tokens", "1000/1m");

	private final CompletableFuture<Runnable> firstDecision = new CompletableFuture<>();

	@Test
	void adjustsTokensBeforeTheSubscriberLearnsOfTheEnd() {
		ChatClient client = this.limits
			.client(StubModel.answering(StubModel.part(), StubModel.part(), StubModel.part(30, 70)));
		AtomicReference<Long> left = new AtomicReference<>();
		stream(client).doOnComplete(() -> left.set(this.limits.left("tokens"))).blockLast(PATIENCE);
		assertThat(left).hasValue(900L);
		assertThat(this.limits.left("requests")).isEqualTo(4);
	}

	@Test
	void countsTheTokensOfAStreamThatReportsThemInParts() {
		stream(this.limits.client(StubModel.answering(StubModel.part(30, 1), StubModel.part(), StubModel.part(0, 70))))
			.blockLast(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void keepsTheReserveWhereAStreamReportsNoUsage() {
		stream(this.limits.client(StubModel.answering(StubModel.part(), StubModel.part()))).blockLast(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(600);
	}

	@Test
	void emitsADenialAsAnError() {
		StubModel model = StubModel.answering(StubModel.part(1, 799));
		ChatClient client = this.limits.client(model);
		stream(client).blockLast(PATIENCE);
		StepVerifier.create(stream(client))
			.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(RateLimitExceededException.class)
				.hasMessageContaining("'tokens'"))
			.verify(PATIENCE);
		assertThat(model.calls()).isOne();
		assertThat(this.limits.left("requests")).isEqualTo(4);
	}

	@Test
	void chargesWhatWasUsedWhereASubscriberCancels() {
		TestPublisher<ChatResponse> answer = TestPublisher.create();
		StepVerifier.create(stream(this.limits.client(StubModel.answering((prompt) -> answer.flux()))))
			.then(() -> answer.next(StubModel.part(30, 5)))
			.expectNextCount(1)
			.thenCancel()
			.verify(PATIENCE);
		answer.assertCancelled();
		assertThat(this.limits.left("tokens")).isEqualTo(965);
	}

	@Test
	void keepsTheReserveWhereASubscriberCancelsAStreamWithoutUsage() {
		TestPublisher<ChatResponse> answer = TestPublisher.create();
		StepVerifier.create(stream(this.limits.client(StubModel.answering((prompt) -> answer.flux()))))
			.then(() -> answer.next(StubModel.part()))
			.expectNextCount(1)
			.thenCancel()
			.verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(600);
	}

	@Test
	void keepsThePromptWhereASubscriberCancelsBeforeTheFirstPart() {
		TestPublisher<ChatResponse> answer = TestPublisher.create();
		StepVerifier.create(stream(this.limits.client(StubModel.answering((prompt) -> answer.flux()))))
			.then(answer::assertWasSubscribed)
			.thenCancel()
			.verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(1000 - CallTests.PROMPT);
		assertThat(this.limits.left("requests")).isEqualTo(4);
	}

	@Test
	void keepsThePromptOfAStreamThatFailsBeforeItsFirstPart() {
		StepVerifier
			.create(stream(this.limits
				.client(StubModel.answering((prompt) -> Flux.error(new IllegalStateException("broken"))))))
			.expectErrorMessage("broken")
			.verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(1000 - CallTests.PROMPT);
	}

	@Test
	void chargesWhatWasUsedWhereAStreamFails() {
		StepVerifier
			.create(stream(this.limits.client(StubModel.answering((prompt) -> Flux.just(StubModel.part(30, 5))
				.concatWith(Flux.error(new IllegalStateException("broken")))))))
			.expectNextCount(1)
			.expectErrorMessage("broken")
			.verify(PATIENCE);
		assertThat(this.limits.left("tokens")).isEqualTo(965);
	}

	@Test
	@SuppressWarnings("ReferenceEquality") // the same exception, not an equal one
	void chargesEachCallOfAStreamWhoseToolsTheModelCalls() {
		Thread test = Thread.currentThread();
		this.limits.with("each-user", "100/1m", "principal");
		this.limits.caller = () -> (Thread.currentThread() == test) ? user("alice") : Caller.NONE;
		StubModel model = StubModel.answering((prompt) -> (prompt.getInstructions().size() > 1)
				? Flux.just(StubModel.part(100, 20)) : Flux.just(StubModel.toolCall("clock", 50, 10)))
			.with(CallTests.withTool());
		stream(ChatFixture.client(model, this.limits.clients().advisors("each-user", "tokens"))).blockLast(PATIENCE);
		assertThat(model.calls()).isEqualTo(2);
		assertThat(this.limits.left("each-user", "principal:alice")).isEqualTo(98);
		assertThat(this.limits.left("tokens")).isEqualTo(820);
	}

	@Test
	void decidesAtEachSubscriptionAndNotBefore() {
		StubModel model = StubModel.answering(StubModel.part(1, 1));
		Flux<String> unused = stream(this.limits.client(model));
		assertThat(this.limits.left("requests")).isEqualTo(5);
		assertThat(model.calls()).isZero();
	}

	@Test
	void neverBlocksTheSubscriberAndLeavesTheThreadOfTheStore() throws InterruptedException {
		this.limits.store = storeThatAwaitsItsFirstDecision();
		AtomicReference<@Nullable String> thread = new AtomicReference<>();
		ChatClient client = this.limits.client(StubModel.answering((prompt) -> {
			thread.set(Thread.currentThread().getName());
			return Flux.just(StubModel.part(30, 70));
		}));
		Sinks.One<String> end = Sinks.one();
		stream(client).subscribe((text) -> {
		}, end::tryEmitError, () -> end.tryEmitValue("end"));
		assertThat(thread).as("undecided").hasValue(null);
		decide();
		assertThat(end.asMono().block(PATIENCE)).isEqualTo("end");
		assertThat(thread.get()).startsWith("boundedElastic");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void endsOnNoThreadOfTheStore(boolean fails) {
		this.limits.store = new TestStore(this.limits.store::execute).refuseBlocking().decideLater();
		StubModel model = StubModel.answering((prompt) -> fails ? Flux.error(new IllegalStateException("failed"))
				: Flux.just(StubModel.part(30, 70)));
		AtomicReference<@Nullable String> thread = new AtomicReference<>();
		stream(this.limits.client(model)).doOnTerminate(() -> thread.set(Thread.currentThread().getName()))
			.onErrorComplete()
			.blockLast(PATIENCE);
		assertThat(thread.get()).isNotNull().doesNotStartWith(TestStore.THREAD);
	}

	@Test
	void chargesNothingWhereASubscriberCancelsBeforeTheDecision() throws InterruptedException {
		RateLimitStore counts = this.limits.store;
		this.limits.store = storeThatAwaitsItsFirstDecision();
		StubModel model = StubModel.answering(StubModel.part(1, 1));
		stream(this.limits.client(model)).subscribe().dispose();
		decide();
		assertThat(model.calls()).isZero();
		this.limits.store = counts;
		assertThat(this.limits.left("requests")).isEqualTo(5);
		assertThat(this.limits.left("tokens")).isEqualTo(1000);
	}

	static Flux<String> stream(ChatClient client) {
		return client.prompt("What time is it?").stream().content();
	}

	private TestStore storeThatAwaitsItsFirstDecision() {
		return new TestStore(this.limits.store::execute).refuseBlocking().decideOn((decision) -> {
			if (!this.firstDecision.complete(decision)) {
				decision.run();
			}
		});
	}

	private void decide() throws InterruptedException {
		assertThat(this.firstDecision).as("asked").succeedsWithin(PATIENCE);
		Thread thread = new Thread(this.firstDecision.join(), "store");
		thread.start();
		thread.join();
	}

	private static Caller user(String name) {
		return new Caller() {

			@Override
			public String principal() {
				return name;
			}

		};
	}

}
