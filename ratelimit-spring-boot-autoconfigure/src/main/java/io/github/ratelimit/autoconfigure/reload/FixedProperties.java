package io.github.ratelimit.autoconfigure.reload;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.NearLimitReader;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.NativeDetector;
import org.springframework.util.ReflectionUtils;

/**
 * The properties that take effect at the start of an application alone, unless a part
 * that can be replaced puts them into effect.
 */
final class FixedProperties {

	/** The penalties of all policies. */
	static final String PENALTIES = "policies.*.penalty";

	/** The place of a policy's name. */
	private static final String ANY = "*";

	private static final Map<String, Function<RateLimitProperties, @Nullable Object>> ALL = all();

	private FixedProperties() {
	}

	/**
	 * Returns the names of those that have changed since the start, without the sections
	 * that parts have put into effect.
	 */
	static Stream<String> changed(PropertiesInEffect started, PropertiesInEffect now, Set<String> reloaded) {
		Stream<String> groups = now.groups()
			.keySet()
			.stream()
			.filter((name) -> !reloaded.contains(name))
			.flatMap((name) -> changed(name, started.groups().get(name), now.groups().get(name)));
		return Stream.concat(changed(started.properties(), now.properties(), reloaded), groups)
			.map((name) -> RateLimitProperties.PREFIX + '.' + name);
	}

	/** Returns the names of the properties without those of other modules. */
	static Set<String> names() {
		return ALL.keySet();
	}

	private static Stream<String> changed(RateLimitProperties started, RateLimitProperties now, Set<String> reloaded) {
		return ALL.entrySet()
			.stream()
			.filter((property) -> !reloaded.contains(property.getKey()))
			.flatMap((property) -> changed(property.getKey(), property.getValue().apply(started),
					property.getValue().apply(now)));
	}

	/**
	 * Returns the names of the innermost properties that differ. A native image knows no
	 * components of records, so that there it is the name of their group.
	 */
	private static Stream<String> changed(String name, @Nullable Object started, @Nullable Object now) {
		if (Objects.equals(started, now)) {
			return Stream.empty();
		}
		if (started instanceof Map<?, ?> before && now instanceof Map<?, ?> after && name.contains(ANY)) {
			return Stream.concat(before.keySet().stream(), after.keySet().stream())
				.distinct()
				.flatMap((key) -> changed(name.replace(ANY, key.toString()), before.get(key), after.get(key)));
		}
		if (started instanceof Record && now instanceof Record && started.getClass().equals(now.getClass())
				&& !NativeDetector.inNativeImage()) {
			return Arrays.stream(now.getClass().getRecordComponents())
				.flatMap((component) -> changed(name + '.' + DataObjectPropertyName.toDashedForm(component.getName()),
						value(component, started), value(component, now)));
		}
		return Stream.of(name);
	}

	private static @Nullable Object value(RecordComponent component, Object of) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), of);
	}

	private static Map<String, Function<RateLimitProperties, @Nullable Object>> all() {
		Map<String, Function<RateLimitProperties, @Nullable Object>> all = new LinkedHashMap<>();
		all.put("enabled", RateLimitProperties::enabled);
		all.put("store", RateLimitProperties::store);
		all.put("annotation-order", RateLimitProperties::annotationOrder);
		all.put("observe-decisions", RateLimitProperties::observeDecisions);
		all.put("tenant", RateLimitProperties::tenant);
		all.put("memory", RateLimitProperties::memory);
		all.put("redis", RateLimitProperties::redis);
		all.put("http", RateLimitProperties::http);
		all.put("overrides", RateLimitProperties::overrides);
		all.put("near-limit", RateLimitProperties::nearLimit);
		all.put("events", RateLimitProperties::events);
		all.put("top", RateLimitProperties::top);
		all.put("consumption", RateLimitProperties::consumption);
		all.put("checks", RateLimitProperties::checks);
		all.put("usage", RateLimitProperties::usage);
		all.put("clients", RateLimitProperties::clients);
		all.put("login", RateLimitProperties::login);
		all.put("reload-interval", RateLimitProperties::reloadInterval);
		all.put("policy-source", RateLimitProperties::policySource);
		all.put(PENALTIES, PenaltyReader::read);
		all.put("policies.*.near-limit", NearLimitReader::ofPolicies);
		return all;
	}

}
