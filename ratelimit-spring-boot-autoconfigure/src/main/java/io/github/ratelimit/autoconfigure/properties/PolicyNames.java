package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The names of policies in properties. An environment variable spells a name without
 * dashes, so Spring Boot binds the policy under that name too, with the same values.
 */
final class PolicyNames {

	private static final Pattern DROPPED = Pattern.compile("[^a-z0-9]");

	private PolicyNames() {
	}

	/** Returns policies without those that only spell the name of another. */
	static Map<String, PolicyProperties> distinct(Map<String, PolicyProperties> policies) {
		Map<String, PolicyProperties> distinct = new LinkedHashMap<>(policies);
		policies.forEach((name, policy) -> {
			String spelling = DROPPED.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
			if (!spelling.equals(name)) {
				distinct.remove(spelling, policy);
			}
		});
		return distinct;
	}

}
