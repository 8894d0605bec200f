package io.github.ratelimit.doors;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A bean with limited methods, each a door. */
class LimitedMethods {

	private final Supplier<Mono<String>> work;

	LimitedMethods(Supplier<Mono<String>> work) {
		this.work = work;
	}

	/** Returns a result that comes later. */
	@RateLimited(DoorContract.HELD)
	@RateLimited(DoorContract.SPENT)
	public Mono<String> mono() {
		return this.work.get();
	}

	/** Returns several results. */
	@RateLimited(DoorContract.HELD)
	@RateLimited(DoorContract.SPENT)
	public Flux<String> flux() {
		return this.work.get().flux();
	}

	/** Returns a result that comes, whether anyone waits for it or not. */
	@RateLimited(DoorContract.HELD)
	@RateLimited(DoorContract.SPENT)
	public CompletableFuture<@Nullable String> stage() {
		return Mono.firstWithSignal(this.work.get(), Mono.delay(Duration.ofMillis(1)).thenReturn("late")).toFuture();
	}

	abstract static class Method extends Door {

		@Override
		ConfigurableApplicationContext start(RateLimiter limiter, Policies policies, Supplier<Mono<String>> work) {
			AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
			TestPropertyValues.of("ratelimit.store=memory").applyTo(context);
			context.registerBean(RateLimiter.class, () -> limiter);
			context.registerBean(Policies.class, () -> policies);
			context.registerBean(LimitedMethods.class, () -> new LimitedMethods(work));
			context.register(AutoConfigurations.getClasses(RateLimitContext.AUTO_CONFIGURATIONS));
			context.refresh();
			return context;
		}

		@Override
		final Publisher<?> call(ConfigurableApplicationContext application) {
			return call(application.getBean(LimitedMethods.class));
		}

		abstract Publisher<?> call(LimitedMethods bean);

	}

	/** Calls that a subscriber makes and cancels. */
	abstract static class OfMono extends Method {

		@Override
		Publisher<?> call(LimitedMethods bean) {
			return bean.mono();
		}

	}

	/** Calls that a subscriber makes and cancels. */
	abstract static class OfFlux extends Method {

		@Override
		Publisher<?> call(LimitedMethods bean) {
			return bean.flux();
		}

	}

	/** Calls on a thread that blocks, whose results are cancelled. */
	abstract static class OfStage extends Method {

		/** A result ends late by itself, whatever became of the work. */
		@Override
		protected boolean cancelsWork() {
			return false;
		}

		@Override
		Publisher<?> call(LimitedMethods bean) {
			return Mono.fromFuture(bean::stage);
		}

	}

	/** Calls on a thread that must not block, whose results are cancelled. */
	abstract static class OfStageOnEventLoop extends OfStage {

		@Override
		Publisher<?> call(LimitedMethods bean) {
			return Mono.fromFuture(bean::stage).subscribeOn(Schedulers.parallel());
		}

	}

}
