package io.github.ratelimit.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.shared.LimitWords;

/**
 * The words of limits, which take longer to read than a count. Thread-safe.
 */
final class KnownLimits {

	private static final int MOST = 10_000;

	private final Map<Limit, String> words = new ConcurrentHashMap<>();

	private final Map<String, Limit> limits = new ConcurrentHashMap<>();

	String words(Limit limit) {
		return known(this.words, limit, LimitWords::write);
	}

	/**
	 * Returns the limit of words.
	 * @throws IllegalArgumentException if there is none
	 */
	Limit limit(String words) {
		return known(this.limits, words, LimitWords::read);
	}

	private static <K, V> V known(Map<K, V> all, K key, Function<K, V> create) {
		V known = all.get(key);
		if (known != null) {
			return known;
		}
		V created = create.apply(key);
		if (all.size() < MOST) {
			all.put(key, created);
		}
		return created;
	}

}
