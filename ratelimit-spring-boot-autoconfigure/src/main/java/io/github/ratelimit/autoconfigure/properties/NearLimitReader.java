package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.decision.Thresholds;

/**
 * A reader of the parts of limits from which calls are near them.
 */
public final class NearLimitReader {

	private static final String NAME = ".near-limit";

	private NearLimitReader() {
	}

	/**
	 * Reads the parts of all policies.
	 * @param properties the properties
	 * @return the parts
	 */
	public static Thresholds read(RateLimitProperties properties) {
		Map<String, List<Integer>> byPolicy = new LinkedHashMap<>();
		ofPolicies(properties).forEach((policy, texts) -> byPolicy.put(policy,
				parts(RateLimitProperties.PREFIX + ".policies." + policy + NAME, texts)));
		return new Thresholds(parts(RateLimitProperties.PREFIX + NAME, properties.nearLimit()), Map.copyOf(byPolicy));
	}

	/**
	 * Returns the values of policies that have their own.
	 * @param properties the properties
	 * @return the values by the policy's name
	 */
	public static Map<String, List<String>> ofPolicies(RateLimitProperties properties) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		properties.policies().forEach((name, policy) -> {
			if (!policy.nearLimit().isEmpty()) {
				values.put(name, policy.nearLimit());
			}
		});
		return values;
	}

	private static List<Integer> parts(String property, List<String> texts) {
		return PropertyCheck.checked(property, texts,
				() -> texts.stream().map(NearLimitReader::part).distinct().sorted().toList());
	}

	private static int part(String text) {
		String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
		if (!number.matches("[1-9][0-9]?|100")) {
			throw new IllegalArgumentException("it is a percentage from 1% to 100%, or a list of them");
		}
		return Integer.parseInt(number);
	}

}
