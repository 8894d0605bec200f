package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

/**
 * Calls of methods that hold a permit of a limit on concurrency until they end.
 */
class HeldPermitsTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.busy.limits=1 concurrent")
		.withBean(Held.class)
		.withBean(WaitingCalls.class);

	@ParameterizedTest
	@ValueSource(strings = { "value", "stage", "mono", "cancel", "failure" })
	void holdsAPermitUntilTheCallEnds(String kind) {
		this.context.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			for (int round = 0; round < 3; round++) {
				hold(context.getBean(Held.class), kind, () -> assertThat(remaining(limiter, "busy")).isZero());
				assertThat(remaining(limiter, "busy")).isOne();
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "value", "stage", "mono" })
	void waitsUntilAnotherCallEnds(String kind) {
		this.context.withPropertyValues("ratelimit.policies.busy.max-wait=20s").run((context) -> {
			Held held = context.getBean(Held.class);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			Reservation other = limiter.reserve(List.of(Charge.of("busy", "global")));
			CompletableFuture<Void> call = CompletableFuture
				.runAsync(() -> hold(held, kind, () -> assertThat(other.holdsPermits()).isFalse()));
			await().untilAtomic(context.getBean(WaitingCalls.class).calls, equalTo(1));
			assertThat(call).isNotDone();
			limiter.release(other);
			call.get(20, TimeUnit.SECONDS);
			assertThat(remaining(limiter, "busy")).isOne();
		});
	}

	private static void hold(Held held, String kind, Runnable during) {
		switch (kind) {
			case "value" -> held.value(during);
			case "stage" -> held.stage(during).toCompletableFuture().join();
			case "mono" -> held.mono(during).block();
			case "cancel" -> StepVerifier.create(held.never(during)).thenRequest(1).thenCancel().verify();
			default -> assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> held.fail(during));
		}
	}

	private static long remaining(RateLimiter limiter, String policy) {
		return limiter.peek(List.of(Charge.of(policy, "global"))).limits().get(0).remaining();
	}

	static final class WaitingCalls implements RateLimitListener {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public void waiting(List<String> policies) {
			this.calls.incrementAndGet();
		}

	}

	@RateLimited("busy")
	static class Held {

		void value(Runnable during) {
			during.run();
		}

		CompletionStage<String> stage(Runnable during) {
			return CompletableFuture.supplyAsync(() -> {
				during.run();
				return "stage";
			});
		}

		Mono<String> mono(Runnable during) {
			return Mono.fromRunnable(during);
		}

		Flux<String> never(Runnable during) {
			return Flux.<String>never().doOnRequest((count) -> during.run());
		}

		void fail(Runnable during) {
			during.run();
			throw new IllegalStateException();
		}

	}

}
