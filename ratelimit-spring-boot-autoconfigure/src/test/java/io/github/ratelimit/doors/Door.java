package io.github.ratelimit.doors;

import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;

/** A door of an application. */
abstract class Door extends DoorContract {

	private @Nullable ConfigurableApplicationContext application;

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
