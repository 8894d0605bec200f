package io.github.ratelimit.autoconfigure.store;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A kind of store that the instances of an application share. Each is a bean of its
 * auto-configuration, and {@code ratelimit.store} selects one by its name. Without this
 * property, the only one with evidence is selected. Creating the bean connects to
 * nothing.
 */
public interface SharedStore {

	/**
	 * Returns the name, also that of its {@code RateLimitStore}.
	 * @return a short lower case word, other than {@code memory}
	 */
	String name();

	/**
	 * Returns the evidence that the application is meant to count here. A client library
	 * on the class path is none.
	 * @return the evidence, which is found only if the application can connect
	 */
	Evidence evidence();

	/**
	 * Creates the stores of this kind, once it is selected. Called once at most.
	 * @return the stores, which need not have connected yet
	 * @throws InvalidRateLimitConfigurationException if the application lacks what
	 * connects to them, or a property of them is invalid
	 */
	Stores stores();

	/**
	 * Returns the prefix that the keys of an application have unless another one is
	 * configured, so that applications that share a store have counts of their own.
	 * @param application the name of the application, or {@code null}; characters other
	 * than letters, digits, dots, hyphens and underscores are percent-encoded
	 * @return {@code ratelimit}, followed by a colon and the name if there is one
	 */
	static String keyPrefix(@Nullable String application) {
		return StringUtils.hasText(application) ? "ratelimit:" + encoded(application) : "ratelimit";
	}

	private static String encoded(String name) {
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
	}

	/**
	 * Evidence, or the reason for which there is none.
	 *
	 * @param isFound whether there is evidence
	 * @param clause what was found, such as {@code 'spring.data.redis.host' is set}, or
	 * is missing, with the fix, as it appears behind "as" in a sentence about the choice
	 */
	record Evidence(boolean isFound, String clause) {

		/**
		 * Returns evidence.
		 * @param clause what was found
		 * @return the evidence
		 */
		public static Evidence found(String clause) {
			return new Evidence(true, clause);
		}

		/**
		 * Returns that there is no evidence.
		 * @param clause what is missing
		 * @return the reason
		 */
		public static Evidence missing(String clause) {
			return new Evidence(false, clause);
		}

	}

}
