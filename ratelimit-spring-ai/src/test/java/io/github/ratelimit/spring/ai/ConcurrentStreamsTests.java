package io.github.ratelimit.spring.ai;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streams of random sizes, 64 at a time, under 60 requests and 100,000 tokens a minute.
 */
class ConcurrentStreamsTests {

	private static final int AT_A_TIME = 64;

	private static final int STREAMS = 2_000;

	private static final long TOKENS = 100_000;

	private static final long REQUESTS = 60;

	private static final int LARGEST = 6_000;

	private static final long MINUTE = 60_000_000;

	private final ChatFixture limits = new ChatFixture().with("requests", "60/1m").with("tokens", "100000/1m");

	private final TestStore store = new TestStore(this.limits.store::execute);

	private final long start = this.limits.micros.get();

	private final AtomicLong calls = new AtomicLong();

	private final AtomicLong denied = new AtomicLong();

	private final AtomicLong used = new AtomicLong();

	/** Tokens that the streams in flight use beyond their reserves. */
	private final AtomicLong excess = new AtomicLong();

	private final AtomicLong mostExcess = new AtomicLong();

	private final AtomicLong overshoot = new AtomicLong(Long.MIN_VALUE);

	private final Sinks.Empty<Void> started = Sinks.empty();

	/** Calls that wait for each other before any is answered. */
	private long together = 1;

	@BeforeEach
	void count() {
		this.limits.store = this.store;
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void chargesWhatIsUsedAndOvershootsByTheErrorsOfTheReservesInFlightAtMost(long seed) {
		run(TokenReserve.fixed(1_500), 1_500, seed);
		assertThat(charged("tokens")).isEqualTo(this.used.get());
		assertThat(charged("requests")).isEqualTo(this.calls.get());
		assertThat(this.overshoot.get()).isLessThanOrEqualTo(this.mostExcess.get());
		hasLimited();
	}

	@Test
	void overshootsByTheErrorsOfAllReservesInFlight() {
		this.together = REQUESTS;
		run(TokenReserve.fixed(1_500), 1_500, Collections.nCopies((int) REQUESTS, LARGEST));
		assertThat(charged("tokens")).isEqualTo(REQUESTS * LARGEST);
		assertThat(this.overshoot.get()).isEqualTo(REQUESTS * LARGEST - TOKENS);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void neverExceedsTheLimitWithACeiling(long seed) {
		run(TokenReserve.maxTokens(1), LARGEST, seed);
		assertThat(charged("tokens")).isEqualTo(this.used.get());
		assertThat(charged("requests")).isEqualTo(this.calls.get());
		assertThat(permits("tokens", StoreOperation.CHARGE)).as("charged beyond the reserve").isZero();
		assertThat(this.overshoot.get()).isNotPositive();
		hasLimited();
	}

	/** Returns what a policy was charged, less what it was refunded. */
	private long charged(String policy) {
		return permits(policy, StoreOperation.ACQUIRE) + permits(policy, StoreOperation.CHARGE)
				- permits(policy, StoreOperation.REFUND);
	}

	private long permits(String policy, StoreOperation operation) {
		return this.store.decided()
			.stream()
			.filter((decided) -> decided.request().operation() == operation)
			.filter((decided) -> operation != StoreOperation.ACQUIRE || decided.decision().allowed())
			.flatMap((decided) -> decided.request().permits().stream())
			.filter((permit) -> permit.policy().equals(policy))
			.mapToLong(PermitRequest::cost)
			.sum();
	}

	private void hasLimited() {
		assertThat(this.denied.get()).as("denials").isPositive();
		assertThat(this.calls.get()).as("calls").isGreaterThan(REQUESTS);
	}

	private void run(TokenReserve reserve, long reserved, long seed) {
		Random random = new Random(seed);
		run(reserve, reserved,
				IntStream.range(0, STREAMS).map((stream) -> random.nextInt(1, LARGEST)).boxed().toList());
	}

	private void run(TokenReserve reserve, long reserved, List<Integer> sizes) {
		StubModel model = StubModel.answering((prompt) -> answer(prompt, reserved))
			.with(ChatOptions.builder().maxTokens(LARGEST).build());
		ChatClient client = ChatFixture.client(model, this.limits.reserving(reserve).advisors("requests", "tokens"));
		Flux.fromIterable(sizes)
			.flatMap((size) -> stream(client, size, beyond(size, reserved)).subscribeOn(Schedulers.parallel()),
					AT_A_TIME)
			.blockLast();
	}

	private static long beyond(int size, long reserved) {
		return Math.max(0, size - reserved);
	}

	private Mono<Void> stream(ChatClient client, int size, long beyond) {
		return client.prompt(String.valueOf(size))
			.stream()
			.content()
			.then()
			.doOnSuccess((end) -> this.excess.addAndGet(-beyond))
			.onErrorResume(RateLimitExceededException.class, (denial) -> {
				this.denied.incrementAndGet();
				this.limits.micros.addAndGet(MINUTE / 200);
				return Mono.empty();
			});
	}

	/** Uses as many tokens as the prompt says, in parts that other streams interrupt. */
	private Flux<ChatResponse> answer(Prompt prompt, long reserved) {
		int size = Integer.parseInt(prompt.getContents());
		if (this.calls.incrementAndGet() == this.together) {
			this.started.tryEmitEmpty();
		}
		this.mostExcess.accumulateAndGet(this.excess.addAndGet(beyond(size, reserved)), Math::max);
		return Flux.range(1, 4)
			.delaySubscription(this.started.asMono())
			.publishOn(Schedulers.parallel(), 1)
			.map((part) -> (part < 4) ? StubModel.part() : StubModel.part(size / 3, size - size / 3))
			.doOnComplete(() -> {
				long total = this.used.addAndGet(size);
				long admitted = TOKENS + (this.limits.micros.get() - this.start) * TOKENS / MINUTE;
				this.overshoot.accumulateAndGet(total - admitted, Math::max);
			});
	}

}
