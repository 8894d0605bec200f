package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AsynchronousCallsTests {

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void failsTheStageOfADeniedCall() {
		withService((service) -> {
			assertThat(service.future()).isCompletedWithValue(1);
			assertThat(service.future()).isCompletedWithValue(2);
			assertThat(service.future()).isCompletedExceptionally()
				.failsWithin(0, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseInstanceOf(RateLimitExceededException.class)
				.withMessageContaining("exceeded for Service.future(): retry in ");
			assertThat(this.calls).hasValue(2);
		});
	}

	@Test
	void failsTheStageWithWhatTheMethodThrows() {
		withService((service) -> assertThat(service.failingFuture()).isCompletedExceptionally());
	}

	@Test
	void decidesAMonoOnEachSubscription() {
		withService((service) -> {
			Mono<Integer> mono = service.mono();
			assertThat(this.calls).hasValue(0);
			StepVerifier.create(mono).expectNext(1).verifyComplete();
			StepVerifier.create(mono).expectNext(2).verifyComplete();
			StepVerifier.create(mono)
				.verifyErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(RateLimitExceededException.class)
					.hasMessageContaining("exceeded for Service.mono(): retry in "));
			assertThat(this.calls).hasValue(2);
		});
	}

	@Test
	void decidesAFluxOnceForAllOfItsItems() {
		withService((service) -> {
			StepVerifier.create(service.flux()).expectNext(1, 2, 3).verifyComplete();
			StepVerifier.create(service.flux()).expectNext(1, 2, 3).verifyComplete();
			StepVerifier.create(service.flux()).verifyError(RateLimitExceededException.class);
		});
	}

	@Test
	void failsTheMonoWithWhatTheMethodThrows() {
		withService((service) -> StepVerifier.create(service.failingMono()).verifyErrorMessage("failed"));
	}

	@Test
	void neverWaitsOnAnEventLoop() {
		withService(new TestStore().refuseBlocking().decideLater(), (service) -> {
			Mono<String> onEventLoop = Mono.fromCallable(service::blocking).subscribeOn(Schedulers.parallel());
			assertThatIllegalStateException().isThrownBy(onEventLoop::block)
				.withMessageContaining("would block an event loop");
		});
	}

	@Test
	void decidesOnAnEventLoopWhereTheDecisionIsAtHand() {
		withService((service) -> {
			Mono<String> onEventLoop = Mono.fromCallable(service::blocking).subscribeOn(Schedulers.parallel());
			assertThat(onEventLoop.block()).isEqualTo("done");
		});
	}

	@Test
	void completesAStageLaterWhereItMustNotWait() {
		withService(new TestStore().refuseBlocking().decideLater(), (service) -> {
			Mono<Integer> onEventLoop = Mono.fromCallable(service::future)
				.subscribeOn(Schedulers.parallel())
				.flatMap(Mono::fromFuture);
			assertThat(onEventLoop.block()).isEqualTo(1);
		});
	}

	@Test
	void callsNoMethodOnAThreadOfTheStore() {
		withService(new TestStore().decideLater(), (service) -> {
			Mono<String> stage = Mono.fromCallable(service::threadOfFuture)
				.subscribeOn(Schedulers.parallel())
				.flatMap(Mono::fromFuture);
			assertThat(service.threadOfMono().block()).doesNotStartWith(TestStore.THREAD);
			assertThat(stage.block()).doesNotStartWith(TestStore.THREAD);
		});
	}

	private void withService(Consumer<Service> test) {
		withService(new MemoryRateLimitStore(100), test);
	}

	private void withService(RateLimitStore store, Consumer<Service> test) {
		RateLimitContext.inMemory()
			.withBean(RateLimitStore.class, () -> store)
			.withPropertyValues("ratelimit.policies.two.limits=2/1h")
			.withBean(Service.class, () -> new Service(this.calls))
			.run((context) -> test.accept(context.getBean(Service.class)));
	}

	@RateLimited("two")
	static class Service {

		private final AtomicInteger calls;

		Service(AtomicInteger calls) {
			this.calls = calls;
		}

		public String blocking() {
			return "done";
		}

		public CompletableFuture<Integer> future() {
			return CompletableFuture.completedFuture(this.calls.incrementAndGet());
		}

		public CompletionStage<Integer> failingFuture() {
			throw new IllegalStateException("failed");
		}

		public Mono<Integer> mono() {
			return Mono.just(this.calls.incrementAndGet());
		}

		public Flux<Integer> flux() {
			return Flux.just(1, 2, 3);
		}

		public Mono<String> threadOfMono() {
			return Mono.just(Thread.currentThread().getName());
		}

		public CompletableFuture<String> threadOfFuture() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		public Mono<Integer> failingMono() {
			throw new IllegalStateException("failed");
		}

	}

}
