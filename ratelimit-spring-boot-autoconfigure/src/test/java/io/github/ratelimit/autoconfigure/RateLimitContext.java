package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.check.RateLimitCheckAutoConfiguration;
import io.github.ratelimit.autoconfigure.consumption.RateLimitConsumptionAutoConfiguration;
import io.github.ratelimit.autoconfigure.redis.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.autoconfigure.reload.RateLimitReloadAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitManagementAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;

/**
 * A context with all that limits calls, for tests of any room.
 */
public final class RateLimitContext {

	/** Everything of ours, and what makes proxies. */
	public static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(AopAutoConfiguration.class,
			RateLimitCheckAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
			RateLimitStoreAutoConfiguration.class, RateLimitOverridesAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class,
			RateLimitManagementAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
			RateLimitReactiveAutoConfiguration.class, RateLimitObservationAutoConfiguration.class,
			RateLimitMetricsAutoConfiguration.class, RateLimitEndpointAutoConfiguration.class,
			RateLimitClientAutoConfiguration.class, RateLimitHealthAutoConfiguration.class,
			RateLimitReloadAutoConfiguration.class, RateLimitTopAutoConfiguration.class,
			RateLimitEventAutoConfiguration.class, RateLimitConsumptionAutoConfiguration.class);

	/** WebFlux without a server. */
	public static final AutoConfigurations WEBFLUX = AutoConfigurations.of(JacksonAutoConfiguration.class,
			CodecsAutoConfiguration.class, WebFluxAutoConfiguration.class, HttpHandlerAutoConfiguration.class);

	private RateLimitContext() {
	}

	/**
	 * A context outside the web, counting in memory.
	 * @return a runner
	 */
	public static ApplicationContextRunner inMemory() {
		return new ApplicationContextRunner().withConfiguration(AUTO_CONFIGURATIONS)
			.withPropertyValues("ratelimit.store=memory");
	}

}
