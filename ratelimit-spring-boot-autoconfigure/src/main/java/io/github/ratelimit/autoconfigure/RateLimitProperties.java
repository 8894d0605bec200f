package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Policy;
import io.github.ratelimit.algorithm.Algorithm;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What users configure.
 *
 * @param enabled Whether calls are limited at all.
 * @param store Where counts live. By default Redis if the application has a connection
 * factory, else memory.
 * @param memory Memory store.
 * @param redis Redis store.
 * @param policies Policies by name.
 */
@ConfigurationProperties(RateLimitProperties.PREFIX)
record RateLimitProperties(@DefaultValue("true") boolean enabled, @Nullable StoreType store,
		@DefaultValue Memory memory, @DefaultValue Redis redis, @DefaultValue Map<String, PolicyProperties> policies) {

	static final String PREFIX = "ratelimit";

	/**
	 * The kinds of store.
	 */
	enum StoreType {

		/** Counts shared by every instance. */
		REDIS,

		/** Counts of each instance on its own. */
		MEMORY

	}

	/**
	 * The memory store.
	 *
	 * @param maxKeys Number of counts to keep apart; beyond it, further keys share
	 * counts.
	 */
	record Memory(@DefaultValue("100000") int maxKeys) {

	}

	/**
	 * The Redis store.
	 *
	 * @param timeout Time to wait for a decision.
	 * @param connectTimeout Time to wait for a connection of the limiter's own.
	 * @param dedicatedConnection Whether the limiter has a connection of its own to the
	 * application's Redis.
	 * @param failFast Whether the application refuses to start without Redis.
	 * @param keyPrefix What every key in Redis begins with.
	 */
	record Redis(@DefaultValue("100ms") Duration timeout, @DefaultValue("500ms") Duration connectTimeout,
			@DefaultValue("true") boolean dedicatedConnection, @DefaultValue("false") boolean failFast,
			@DefaultValue("ratelimit") String keyPrefix) {

	}

	/**
	 * A policy.
	 *
	 * @param limits Permits per period, such as 100/1m; all of several apply. A limit may
	 * name an algorithm and a burst of its own: 10/1s fixed-window, 10/1s burst 20.
	 * @param algorithm How limits are decided that name no algorithm.
	 * @param burst Most permits that can be spent at once. By default those of one
	 * period.
	 * @param key Who is limited, the first that answers: client-ip, principal,
	 * header:NAME, global, bean:NAME or an expression that starts with #.
	 */
	record PolicyProperties(@DefaultValue List<String> limits, @DefaultValue("token-bucket") Algorithm algorithm,
			@Nullable Long burst, @DefaultValue(Policy.EVERYONE) List<String> key) {

	}

}
