package io.github.ratelimit.spring.top;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The exchange of reports between instances. Thread-safe. Every operation throws a
 * runtime exception if it fails.
 */
public interface TopExchange {

	/** An exchange of an instance that is alone. */
	TopExchange NONE = new TopExchange() {

		@Override
		public void publish(Map<String, String> reports) {
		}

		@Override
		public Collection<String> others(String policy) {
			return List.of();
		}

	};

	/**
	 * Publishes all reports of this instance, for half a minute.
	 * @param reports the reports as text, by the names of policies
	 */
	void publish(Map<String, String> reports);

	/**
	 * Returns the reports of the other instances.
	 * @param policy the policy's name
	 * @return the reports as text
	 */
	Collection<String> others(String policy);

}
