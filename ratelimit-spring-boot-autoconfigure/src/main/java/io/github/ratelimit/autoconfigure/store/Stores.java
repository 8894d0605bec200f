package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The stores of one kind.
 */
public interface Stores {

	/**
	 * Returns the place of the counts, as in a sentence about them.
	 * @return the place
	 */
	String place();

	/**
	 * Returns the name of the {@code RedisConnectionFactory} bean in use.
	 * @return the name; {@code null} without Redis
	 */
	@Nullable String connectionFactory();

	/**
	 * Creates the store of counts.
	 * @return the store
	 */
	RateLimitStore counts();

	/**
	 * Creates the store of controls.
	 * @return the store
	 */
	ControlStore controls();

	/**
	 * Creates the exchange of top keys.
	 * @return the exchange
	 */
	TopExchange topExchange();

}
