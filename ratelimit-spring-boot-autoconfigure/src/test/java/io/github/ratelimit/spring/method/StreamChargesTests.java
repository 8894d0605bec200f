package io.github.ratelimit.spring.method;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Streams of random lengths, which complete, fail or are cancelled, each with its own
 * estimate. What is charged in the end is what was used.
 */
class StreamChargesTests {

	private static final long LIMIT = 10_000_000;

	private static final int STREAMS = 1000;

	@Test
	void chargesInTotalWhatAllStreamsUsed() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.tokens.limits=" + LIMIT + "/1d fixed-window")
			.withBean(Model.class)
			.run((context) -> {
				Model model = context.getBean(Model.class);
				Flux.fromStream(IntStream.range(0, STREAMS).boxed())
					.flatMap((seed) -> stream(model, new Random(seed)).subscribeOn(Schedulers.boundedElastic()), 64)
					.blockLast(Duration.ofSeconds(30));
				await()
					.untilAsserted(() -> assertThat(charged(context.getBean(RateLimiter.class))).isEqualTo(model.used())
						.isPositive());
			});
	}

	private static Flux<Long> stream(Model model, Random random) {
		int length = random.nextInt(200);
		Flux<Long> stream = model.complete(random.nextInt(300), length, random.nextBoolean());
		return (random.nextInt(3) == 0) ? stream.take(random.nextInt(200) + 1).onErrorComplete()
				: stream.onErrorComplete();
	}

	private static long charged(RateLimiter limiter) {
		return LIMIT - limiter.peek(List.of(Charge.of("tokens", "global"))).limits().get(0).remaining();
	}

	static class Model {

		private final AtomicLong used = new AtomicLong();

		long used() {
			return this.used.get();
		}

		/** Emits the tokens used so far. */
		@RateLimited(policy = "tokens", cost = "#estimate", actual = "#result ?: 0")
		Flux<Long> complete(int estimate, int length, boolean fails) {
			Flux<Long> tokens = Flux.fromStream(IntStream.rangeClosed(1, length).mapToObj((token) -> token * 7L));
			return (fails ? tokens.concatWith(Flux.error(new IllegalStateException("upstream"))) : tokens)
				.doOnNext((token) -> this.used.addAndGet(7));
		}

	}

}
