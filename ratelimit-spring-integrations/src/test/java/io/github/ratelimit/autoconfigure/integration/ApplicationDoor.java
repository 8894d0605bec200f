package io.github.ratelimit.autoconfigure.integration;

import java.util.Objects;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A door of an application. */
public abstract class ApplicationDoor extends DoorContract {

	private @Nullable ConfigurableApplicationContext application;

	/** Starts an application that limits by the limiter of the test. */
	protected final ConfigurableApplicationContext start(SpringApplicationBuilder builder, RateLimiter limiter,
			Consumer<GenericApplicationContext> beans) {
		ConfigurableApplicationContext started = builder.initializers((context) -> {
			GenericApplicationContext definitions = (GenericApplicationContext) context;
			definitions.registerBean(RateLimiter.class, () -> limiter);
			definitions.registerBean(Policies.class, () -> this.policies);
			beans.accept(definitions);
		}).run("--server.port=0", "--ratelimit.store=memory");
		this.application = started;
		return started;
	}

	@AfterEach
	final void close() {
		Objects.requireNonNull(this.application).close();
	}

}
