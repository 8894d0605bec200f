package io.github.ratelimit.autoconfigure.reload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import org.jspecify.annotations.Nullable;

/**
 * The properties that take effect at the start of an application alone.
 */
final class FixedProperties {

	private static final Map<String, Function<RateLimitProperties, @Nullable Object>> ALL = all();

	private FixedProperties() {
	}

	/** Returns the names of those that have changed since the start. */
	static List<String> changed(RateLimitProperties started, RateLimitProperties now) {
		Stream<String> fixed = ALL.entrySet()
			.stream()
			.filter((property) -> !Objects.equals(property.getValue().apply(started), property.getValue().apply(now)))
			.map(Map.Entry::getKey);
		Stream<String> removed = started.policies()
			.keySet()
			.stream()
			.filter((policy) -> !now.policies().containsKey(policy))
			.map((policy) -> "policies." + policy);
		return Stream.concat(fixed, removed).map((name) -> RateLimitProperties.PREFIX + '.' + name).sorted().toList();
	}

	private static Map<String, Function<RateLimitProperties, @Nullable Object>> all() {
		Map<String, Function<RateLimitProperties, @Nullable Object>> all = new LinkedHashMap<>();
		all.put("enabled", RateLimitProperties::enabled);
		all.put("store", RateLimitProperties::store);
		all.put("annotation-order", RateLimitProperties::annotationOrder);
		all.put("observe-decisions", RateLimitProperties::observeDecisions);
		all.put("memory", RateLimitProperties::memory);
		all.put("redis", RateLimitProperties::redis);
		all.put("http", RateLimitProperties::http);
		all.put("overrides", RateLimitProperties::overrides);
		all.put("near-limit", RateLimitProperties::nearLimit);
		all.put("events", RateLimitProperties::events);
		all.put("top", RateLimitProperties::top);
		all.put("usage", RateLimitProperties::usage);
		all.put("reload-interval", RateLimitProperties::reloadInterval);
		all.put("policies.*.penalty", PenaltyReader::read);
		return all;
	}

}
