package io.github.ratelimit;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

import io.github.ratelimit.algorithm.Limit;

/**
 * A named set of limits that must all have room, and who is limited by them.
 *
 * @param name letters, digits, dots, underscores and hyphens, up to 64; it is part of
 * response headers, metrics and stored keys
 * @param limits at least one, no two at the same rate
 * @param keys who is limited, each as in {@link RateLimited#key}: the first that answers
 * @param onMissingKey what becomes of a call for which none answers
 */
public record Policy(String name, List<Limit> limits, List<String> keys, MissingKey onMissingKey) {

	/** The key of a policy that limits everyone together. */
	public static final String EVERYONE = "global";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	public Policy {
		limits = List.copyOf(limits);
		keys = List.copyOf(keys);
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"a policy's name is 1 to 64 letters, digits, dots, underscores or hyphens, was '" + name + "'");
		}
		if (limits.isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one limit");
		}
		if (keys.isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one key");
		}
		HashSet<String> rates = new HashSet<>();
		for (Limit limit : limits) {
			if (!rates.add(limit.toString())) {
				throw new IllegalArgumentException("policy '" + name + "' lists the limit " + limit + " twice");
			}
		}
	}

	/**
	 * A policy whose calls without a key share one count.
	 * @param name as in the canonical constructor
	 * @param limits as in the canonical constructor
	 * @param keys as in the canonical constructor
	 */
	public Policy(String name, List<Limit> limits, List<String> keys) {
		this(name, limits, keys, MissingKey.SHARED);
	}

}
