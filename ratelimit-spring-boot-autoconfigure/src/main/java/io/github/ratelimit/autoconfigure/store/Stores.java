package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The stores of one kind, which keep everything in one place. An application with its own
 * bean of one of them does not create it here.
 */
public interface Stores extends AutoCloseable {

	/**
	 * Returns the place of the counts, as in a sentence about them.
	 * @return the place, such as {@code in Redis}
	 */
	String place();

	/**
	 * Returns the name of the application's bean that connects to the place.
	 * @return the name; {@code null} if there is none
	 */
	@Nullable String connection();

	/**
	 * Returns the longest time for which a start waits for a connection, by default half
	 * a second.
	 * @return the time, at least a millisecond
	 */
	default Duration connectTimeout() {
		return Duration.ofMillis(500);
	}

	/**
	 * Creates the store of counts. Called once at most. As a bean, it is started and
	 * stopped as a {@code Lifecycle}, and closed if it is {@link AutoCloseable}.
	 * @return the store
	 */
	RateLimitStore counts();

	/**
	 * Creates the store of controls, a bean that is closed.
	 * @return the store
	 */
	ControlStore controls();

	/**
	 * Creates the exchange of top keys.
	 * @return the exchange
	 */
	TopExchange topExchange();

	/**
	 * Prepares the {@linkplain #counts() counts} for the first call, before web servers
	 * accept calls, and again when a stopped application starts. Has no effect if they
	 * were not created. Waits for the {@linkplain #connectTimeout() connect timeout} at
	 * most, and does the rest in the background.
	 * @param policies the policies, which may be {@linkplain Policies#haveAutoShares()
	 * divided} among the instances that share the store
	 * @param findings receives likely mistakes, once the place replies
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	default void start(Policies policies, Findings findings) throws InterruptedException {
	}

	/**
	 * Releases what the stores have in common, after they were closed.
	 */
	@Override
	default void close() {
	}

}
