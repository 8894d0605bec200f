package io.github.ratelimit.spring.key;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A part of an application that knows something of the keys of policies. Implementations
 * are thread-safe.
 */
public interface KnownKeys {

	/**
	 * Returns the words for the keys by which this part charges a policy.
	 * @param policy the policy's name
	 * @return the words, which may repeat; none if this part does not charge the policy
	 */
	default Stream<String> words(String policy) {
		return Stream.empty();
	}

	/**
	 * Finds a key that calls of a policy had lately.
	 * @param policy the policy's name
	 * @param key the key or its digest, as {@link KeyDigest#inPlaceOf} returns it
	 * @return the key; empty if this part has not seen it, or no longer knows it
	 */
	default Optional<String> find(String policy, String key) {
		return Optional.empty();
	}

}
