package io.github.ratelimit.autoconfigure.properties;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.ratelimit.autoconfigure.properties.PolicyProperties.PenaltyProperties;
import io.github.ratelimit.autoconfigure.properties.PropertySchema.Entry;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.RuleProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * A check of a raw value against the shape of its property: one value, a list or a group.
 * Binding would refuse another shape without saying what to write, or cut off a fraction.
 */
final class PropertyShape {

	private static final Set<Class<?>> WHOLE = Set.of(int.class, Integer.class, long.class, Long.class);

	private static final Pattern FRACTION_OR_PERCENTAGE = Pattern.compile("(-?[0-9]*\\.[0-9]+|-?[0-9]+ *%)");

	private static final Set<String> PERCENTAGES = Set.of("near-limit", "local-share");

	/** The property of a group that a single value is most likely meant for. */
	private static final Map<Class<?>, String> MAIN = Map.of(PolicyProperties.class, "limits", PenaltyProperties.class,
			"after", RuleProperties.class, "paths");

	private PropertyShape() {
	}

	/** Requires a known property to have a value of its shape. */
	static void require(ConfigurationProperty property, Entry entry) {
		String value = String.valueOf(property.getValue()).strip();
		Class<?> type = entry.declared().toClass();
		if (value.isEmpty() || value.contains("${")) {
			return;
		}
		if (type.isRecord()) {
			throw invalid(property, "it is a group of properties", group(property.getName(), entry.declared(), value));
		}
		if (type == List.class && item(entry.declared()).isRecord()) {
			throw invalid(property, "it is a list of groups", inList(property.getName(), item(entry.declared())));
		}
		if (type == Map.class && last(property.getName()).equals("plans")) {
			throw invalid(property, "it is a group", "A plan has a name. Write 'plans: { premium: " + value + " }'");
		}
		boolean isShare = PERCENTAGES.contains(last(property.getName())) && !value.endsWith("%");
		if ((WHOLE.contains(type) || isShare) && FRACTION_OR_PERCENTAGE.matcher(value).matches()) {
			throw invalid(property, "it is a whole number", whole(property.getName(), value));
		}
	}

	/**
	 * Returns what to write instead of a property that does not exist, or null if that is
	 * not known from the shape of its parent.
	 */
	static @Nullable String instead(ConfigurationProperty property, Entry entry) {
		ConfigurationPropertyName parent = entry.parent();
		Class<?> type = entry.declared().toClass();
		if (parent == null) {
			return null;
		}
		if (type == PolicyProperties.class) {
			return dotted(property.getName(), parent);
		}
		if (type == List.class) {
			return item(entry.declared()).isRecord() ? inList(parent, item(entry.declared())) : "'" + last(parent)
					+ "' is a list of values without names. Write '" + last(parent) + ": " + property.getValue() + "'";
		}
		return (type == String.class) ? "'" + last(parent) + "' is one text. Write '" + last(property.getName()) + ":"
				+ property.getValue() + "', without a space behind the colon" : null;
	}

	/** Returns the remedy for a policy whose name has dots, which divide it. */
	private static @Nullable String dotted(ConfigurationPropertyName name, ConfigurationPropertyName policy) {
		return IntStream.range(policy.getNumberOfElements() + 1, name.getNumberOfElements())
			.filter((end) -> PropertySchema.find(policy.append(name.getElement(end, Form.DASHED))).type() != null)
			.mapToObj((end) -> "Write the name of a policy with dots in brackets: \"["
					+ name.chop(end).subName(policy.getNumberOfElements() - 1) + "]\"")
			.findFirst()
			.orElse(null);
	}

	private static String group(ConfigurationPropertyName name, ResolvableType type, String value) {
		String last = last(name);
		String main = MAIN.get(type.toClass());
		boolean hasNoName = type.toClass() == PolicyProperties.class
				&& (last.equals("policies") || PropertySchema.names(type).contains(last));
		if (hasNoName) {
			return "A policy has a name. Write 'policies: { web: { " + (last.equals("policies") ? main : last) + ": "
					+ value + " } }'";
		}
		return (main == null) ? "Set one of its properties " + PropertySchema.names(type)
				: name.isLastElementIndexed() && !last.equals(main) && type.toClass() == RuleProperties.class
						? "Write '- { " + main + ": " + value + ", policies: ... }'"
						: "Write '" + last + ": { " + main + ": " + value + " }'";
	}

	private static String inList(ConfigurationPropertyName list, Class<?> item) {
		return "'" + last(list) + "' is a list. Begin each of its entries with a dash, such as '- "
				+ PropertySchema.names(ResolvableType.forClass(item)).get(0) + ": ...'";
	}

	private static String whole(ConfigurationPropertyName name, String value) {
		double number = Double.parseDouble(value.replace("%", ""));
		String write = "Write '" + last(name) + ": ";
		if (value.endsWith("%")) {
			return write + (long) number + "', without the sign";
		}
		return (PERCENTAGES.contains(last(name)) && number < 1)
				? "It is a percentage. " + write + Math.round(number * 100) + "'"
				: write + (long) number + "', or the number above";
	}

	private static Class<?> item(ResolvableType list) {
		return list.getGeneric(0).toClass();
	}

	private static String last(ConfigurationPropertyName name) {
		return name.getLastElement(Form.DASHED);
	}

	private static InvalidRateLimitConfigurationException invalid(ConfigurationProperty property, String reason,
			String action) {
		return new InvalidRateLimitConfigurationException(
				"The property '" + property.getName() + "' has the value '" + property.getValue() + "', but " + reason,
				action + UnknownWord.in(property.getOrigin()) + ".", null);
	}

}
