package io.github.ratelimit.spring.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of methods that are cancelled before the method is called.
 */
class CancelledCallsTests {

	private static final long TEN_SECONDS = 10_000_000;

	private final TestStore store = new TestStore(() -> 1_790_000_000_000_000L).delay();

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.line.limits=1/10s leaky-bucket", "ratelimit.policies.line.max-wait=1m")
		.withBean(RateLimitStore.class, () -> this.store)
		.withBean(Service.class);

	/** How a call is made, and cancelled. */
	enum Call {

		MONO((service) -> service.mono().subscribe()), FLUX((service) -> service.flux().subscribe()),
		STAGE((service) -> {
			Callable<CompletableFuture<Integer>> call = service::stage;
			CompletableFuture<Integer> stage = Objects
				.requireNonNull(Mono.fromCallable(call).subscribeOn(Schedulers.parallel()).block());
			return () -> stage.cancel(true);
		});

		private final Function<Service, Disposable> make;

		Call(Function<Service, Disposable> make) {
			this.make = make;
		}

	}

	@ParameterizedTest
	@EnumSource
	void giveTheirTurnsBackWhileTheyWait(Call call) {
		this.context.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			Service service = context.getBean(Service.class);
			limiter.acquire(Charge.of("line", "global"));
			List<Disposable> waiting = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				waiting.add(call.make.apply(service));
				this.store.complete();
			}
			assertThat(waitOfTheNext(limiter)).isEqualTo(4 * TEN_SECONDS);
			waiting.forEach(Disposable::dispose);
			assertThat(this.store.delayed()).as("refunds that do not block").isEqualTo(3);
			this.store.complete();
			assertThat(waitOfTheNext(limiter)).isEqualTo(TEN_SECONDS);
			assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(3);
			assertThat(service.calls()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void giveBackOnceWhatIsDecidedOnlyAfterwards(Call call) {
		this.context.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			Service service = context.getBean(Service.class);
			call.make.apply(service).dispose();
			this.store.complete();
			assertThat(this.store.delayed()).as("refunds that do not block").isOne();
			this.store.complete();
			assertThat(this.store.requests(StoreOperation.REFUND)).hasSize(1);
			assertThat(waitOfTheNext(limiter)).isZero();
			assertThat(service.calls()).isZero();
		});
	}

	private static long waitOfTheNext(RateLimiter limiter) {
		return limiter.peek(List.of(Charge.of("line", "global"))).waitMicros();
	}

	static class Service {

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		@RateLimited("line")
		public Mono<Integer> mono() {
			return Mono.just(this.calls.incrementAndGet());
		}

		@RateLimited("line")
		public Flux<Integer> flux() {
			return Flux.just(this.calls.incrementAndGet());
		}

		@RateLimited("line")
		public CompletableFuture<Integer> stage() {
			return CompletableFuture.completedFuture(this.calls.incrementAndGet());
		}

	}

}
