package io.github.ratelimit.autoconfigure.properties;

import java.util.List;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;

/**
 * An explanation of a property whose value is none of the words that it knows. Spring
 * Boot would list the constants of an enum, which are not spelled as in YAML.
 */
public final class UnknownWord {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(RateLimitProperties.PREFIX);

	private UnknownWord() {
	}

	/**
	 * Explains a failure.
	 * @param failure the failure to bind a property
	 * @return an explanation, or {@code null} if the failure has another reason
	 */
	public static @Nullable InvalidRateLimitConfigurationException explain(BindException failure) {
		Class<?> type = failure.getTarget().getType().resolve(Object.class);
		ConfigurationProperty property = failure.getProperty();
		if (!type.isEnum() || property == null || !PREFIX.isAncestorOf(property.getName())) {
			return null;
		}
		List<String> words = YamlWords.all(type);
		return new InvalidRateLimitConfigurationException("The property '" + property.getName() + "' has the value '"
				+ property.getValue() + "', but it is one of " + String.join(", ", words), action(property), failure);
	}

	private static String action(ConfigurationProperty property) {
		return "Correct the property '" + property.getName() + "'" + in(property.getOrigin()) + ".";
	}

	/** Returns where a property is, as the end of a sentence. */
	static String in(@Nullable Origin origin) {
		return (origin != null) ? ", in " + origin : "";
	}

}
