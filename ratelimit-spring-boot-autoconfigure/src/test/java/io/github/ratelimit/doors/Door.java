package io.github.ratelimit.doors;

import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;

/** A door of an application. Those of a class {@code *IT} are counted in Redis. */
abstract class Door extends DoorContract {

	/** Covers a round trip to Redis. */
	private static final int LATEST_MICROS = 1_000;

	private final boolean redis = getClass().getEnclosingClass().getSimpleName().endsWith("IT");

	private @Nullable ConfigurableApplicationContext application;

	@Override
	protected final RateLimitStore store(Deciding deciding) {
		return this.redis ? RedisCounts.create() : super.store(deciding);
	}

	@Override
	protected final boolean isKnown(Deciding deciding) {
		return !this.redis && super.isKnown(deciding);
	}

	@Override
	protected int latestMicros() {
		return this.redis ? LATEST_MICROS : super.latestMicros();
	}

	/** Starts the application. */
	abstract ConfigurableApplicationContext start(RateLimiter limiter, Policies policies, Supplier<Mono<String>> work);

	/** Returns the call that enters by the door, at each subscription. */
	abstract Publisher<?> call(ConfigurableApplicationContext application);

	@Override
	protected final Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		ConfigurableApplicationContext started = start(limiter, this.policies, work);
		this.application = started;
		return call(started);
	}

	@AfterEach
	void close() {
		Objects.requireNonNull(this.application).close();
	}

}
