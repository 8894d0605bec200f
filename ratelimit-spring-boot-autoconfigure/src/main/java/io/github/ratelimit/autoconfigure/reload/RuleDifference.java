package io.github.ratelimit.autoconfigure.reload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.RuleProperties;

/**
 * The difference between the rules of two configurations, for operators. Rules of the
 * same paths, methods and phase are the same.
 *
 * @param added the rules that only the later configuration has, with their policies
 * @param removed the rules that only the earlier configuration has
 * @param changed the rules that the later configuration changes
 */
record RuleDifference(List<String> added, List<String> removed, List<String> changed) {

	/** Compares the rules of two configurations. */
	static RuleDifference of(RateLimitProperties before, RateLimitProperties after) {
		Map<List<Object>, List<RuleProperties>> earlier = byPlace(before.rules());
		Map<List<Object>, List<RuleProperties>> later = byPlace(after.rules());
		return new RuleDifference(texts(later, (place) -> !earlier.containsKey(place)),
				texts(earlier, (place) -> !later.containsKey(place)), texts(later, (place) -> earlier.containsKey(place)
						&& !Objects.equals(later.get(place), earlier.get(place))));
	}

	private static Map<List<Object>, List<RuleProperties>> byPlace(List<RuleProperties> rules) {
		return rules.stream()
			.collect(Collectors.groupingBy((rule) -> List.of(rule.paths(), rule.methods(), rule.phase()),
					LinkedHashMap::new, Collectors.toList()));
	}

	private static List<String> texts(Map<List<Object>, List<RuleProperties>> rules, Predicate<List<Object>> chosen) {
		return rules.entrySet()
			.stream()
			.filter((entry) -> chosen.test(entry.getKey()))
			.flatMap((entry) -> entry.getValue().stream())
			.map((rule) -> String.join(",", rule.paths()) + ' ' + rule.policies())
			.toList();
	}

}
