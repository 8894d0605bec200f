package io.github.ratelimit.spring.top;

import java.util.Collection;
import java.util.List;

/**
 * The exchange of reports between instances. Thread-safe. Every operation throws a
 * runtime exception if it fails.
 */
public interface TopExchange {

	/** An exchange of an instance that is alone. */
	TopExchange NONE = new TopExchange() {

		@Override
		public void publish(String policy, String report) {
		}

		@Override
		public Collection<String> others(String policy) {
			return List.of();
		}

	};

	/**
	 * Publishes the report of this instance, for half a minute.
	 * @param policy the policy's name
	 * @param report the report as text
	 */
	void publish(String policy, String report);

	/**
	 * Returns the reports of the other instances.
	 * @param policy the policy's name
	 * @return the reports as text
	 */
	Collection<String> others(String policy);

}
