package io.github.ratelimit.spring.method;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class WaitsAndRefundsTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.tries.limits=3/1h", "ratelimit.policies.calls.limits=10/1h",
				"ratelimit.policies.pace.limits=100/1s", "ratelimit.policies.pace.algorithm=leaky-bucket",
				"ratelimit.policies.pace.max-wait=1s", "ratelimit.policies.pace-low.shares=tries",
				"ratelimit.policies.pace-low.reserve=30%", "ratelimit.policies.big.limits=10/1h",
				"ratelimit.policies.big.max-cost=4", "ratelimit.policies.big.above-max-cost=clamp",
				"ratelimit.policies.line.limits=1/1m leaky-bucket", "ratelimit.policies.line.max-wait=3m",
				"ratelimit.policies.line.max-waiting=1")
		.withBean(Service.class);

	@Test
	void refundsPermitsAfterTheFailuresItNames() {
		with((context, service) -> {
			for (int call = 0; call < 10; call++) {
				assertThatExceptionOfType(UncheckedIOException.class)
					.isThrownBy(() -> service.fail(new UncheckedIOException(new IOException())));
			}
			assertThat(remaining(context, "tries")).isEqualTo(3);
			assertThat(remaining(context, "calls")).isZero();
		});
	}

	@Test
	void keepsPermitsAfterOtherFailures() {
		with((context, service) -> {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> service.fail(new IllegalStateException()));
			assertThat(remaining(context, "tries")).isEqualTo(2);
		});
	}

	@Test
	void refundsPermitsAfterFailuresOfTheReturnedStage() {
		with((context, service) -> {
			assertThat(service.stage().toCompletableFuture()).isCompletedExceptionally();
			StepVerifier.create(service.mono()).verifyError(UncheckedIOException.class);
			StepVerifier.create(service.flux()).expectNext(1).verifyError(UncheckedIOException.class);
			assertThat(remaining(context, "tries")).isEqualTo(3);
		});
	}

	@Test
	void waitsAsLongAsThePolicySays() {
		with((context, service) -> {
			long begin = System.nanoTime();
			for (int call = 0; call < 6; call++) {
				service.paced();
			}
			assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
		});
	}

	@Test
	void waitsOnlyAsLongAsTheAnnotationSays() {
		with((context, service) -> {
			service.lined();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::impatient);
			service.paced();
			StepVerifier.create(service.patient()).expectNext(1).verifyComplete();
		});
	}

	@Test
	void letsNoMoreThreadsWaitThanThePolicySays() {
		with((context, service) -> {
			service.lined();
			Thread waiting = new Thread(service::lined);
			waiting.start();
			await().until(waiting::getState, Thread.State.TIMED_WAITING::equals);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::lined)
				.satisfies((ex) -> assertThat(ex.getDecision().retryAfterMicros()).isBetween(1L, 120_000_000L));
			waiting.interrupt();
			waiting.join();
			assertThat(context.getBean(RateLimiter.class).peek(List.of(Charge.of("line", "global"))).waitMicros())
				.isBetween(1L, 60_000_000L);
		});
	}

	@Test
	void leavesTheReserveToThePolicyWhoseCountIsShared() {
		with((context, service) -> {
			service.low();
			service.low();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::low);
			assertThat(remaining(context, "tries")).isEqualTo(1);
		});
	}

	@Test
	void chargesNoMoreThanTheMaximumCost() {
		with((context, service) -> {
			service.big(1000);
			assertThat(remaining(context, "big")).isEqualTo(6);
		});
	}

	@Test
	void refusesAWaitThatIsNone() {
		this.context.withBean(BadWait.class)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("soon"));
		this.context.withBean(BadWait.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidRateLimitConfigurationException.class));
	}

	private static long remaining(ApplicationContext context, String policy) {
		return context.getBean(RateLimiter.class)
			.peek(List.of(new Charge(policy, "global", 0)))
			.limits()
			.get(0)
			.remaining();
	}

	private void with(Check test) {
		this.context.run((context) -> test.accept(context, context.getBean(Service.class)));
	}

	private interface Check {

		void accept(ApplicationContext context, Service service) throws InterruptedException;

	}

	static class Service {

		@RateLimited(policy = "tries", refundOn = UncheckedIOException.class)
		@RateLimited("calls")
		public void fail(RuntimeException failure) {
			throw failure;
		}

		@RateLimited(policy = "tries", refundOn = IOException.class)
		public CompletionStage<Integer> stage() {
			return CompletableFuture.completedFuture(1)
				.thenCompose((one) -> CompletableFuture.failedFuture(new IOException()));
		}

		@RateLimited(policy = "tries", refundOn = UncheckedIOException.class)
		public Mono<Integer> mono() {
			return Mono.error(new UncheckedIOException(new IOException()));
		}

		@RateLimited(policy = "tries", refundOn = UncheckedIOException.class)
		public Flux<Integer> flux() {
			return Flux.just(1).concatWith(Mono.error(new UncheckedIOException(new IOException())));
		}

		@RateLimited("pace")
		public void paced() {
		}

		@RateLimited(policy = "line", maxWait = "1ms")
		public void impatient() {
		}

		@RateLimited(policy = "pace", maxWait = "2s")
		public Mono<Integer> patient() {
			return Mono.just(1);
		}

		@RateLimited("line")
		public void lined() {
		}

		@RateLimited("pace-low")
		public void low() {
		}

		@RateLimited(policy = "big", cost = "#size")
		public void big(long size) {
		}

	}

	static class BadWait {

		@RateLimited(policy = "pace", maxWait = "soon")
		public void call() {
		}

	}

}
