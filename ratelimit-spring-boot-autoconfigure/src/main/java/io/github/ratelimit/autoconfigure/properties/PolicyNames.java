package io.github.ratelimit.autoconfigure.properties;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;

/**
 * The names of policies in properties. An environment variable spells a name without
 * dashes, so Spring Boot binds the policy under that name too, with the values of such
 * variables alone.
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
			PolicyProperties spelled = distinct.get(spelling);
			if (!spelling.equals(name) && spelled != null && isPart(spelled, policy)) {
				distinct.remove(spelling);
			}
		});
		return distinct;
	}

	/** Returns whether a policy has all values that are set for another. */
	private static boolean isPart(PolicyProperties part, PolicyProperties whole) {
		return part.equals(whole) || isPart(part, whole, new Binder().bindOrCreate("none", PolicyProperties.class));
	}

	private static boolean isPart(@Nullable Object part, @Nullable Object whole, @Nullable Object standard) {
		if (Objects.equals(part, whole) || Objects.equals(part, standard) || List.of().equals(part)) {
			return true;
		}
		if (part instanceof Map<?, ?> some && whole instanceof Map<?, ?> all) {
			return some.entrySet()
				.stream()
				.allMatch((entry) -> all.containsKey(entry.getKey())
						&& isPart(entry.getValue(), all.get(entry.getKey()), null));
		}
		return part instanceof Record && whole != null
				&& Stream.of(part.getClass().getRecordComponents())
					.allMatch((component) -> isPart(value(component, part), value(component, whole),
							(standard != null) ? value(component, standard) : null));
	}

	private static @Nullable Object value(RecordComponent component, Object group) {
		try {
			component.getAccessor().setAccessible(true);
			return component.getAccessor().invoke(group);
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("A property of a policy cannot be read", ex);
		}
	}

}
