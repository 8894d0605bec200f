package io.github.ratelimit.autoconfigure.properties;

import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The names of properties that a policy source has returned at once. Spring Boot binds
 * names that differ in case, dashes and other characters as one, and leaves out what a
 * name cannot have.
 */
final class SourcedNames {

	/** The text of each name, and of each name that it begins with. */
	private final Map<ConfigurationPropertyName, String> written = new HashMap<>();

	/**
	 * Returns a name as it is bound.
	 * @throws InvalidRateLimitConfigurationException if it would be bound as another name
	 */
	ConfigurationPropertyName require(String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
		StringBuilder text = new StringBuilder();
		for (int elements = 1; elements <= name.getNumberOfElements(); elements++) {
			ConfigurationPropertyName begin = name.chop(elements);
			append(text, begin);
			requireOnce(begin, text.toString());
		}
		if (!text.toString().equals(property)) {
			throw new InvalidRateLimitConfigurationException(
					"The policy source returned the property '" + property + "', which would be read as '" + text + "'",
					"Use letters, digits and dashes, with dots between them.", null);
		}
		return name;
	}

	private static void append(StringBuilder text, ConfigurationPropertyName name) {
		String last = name.getLastElement(Form.ORIGINAL);
		if (name.isLastElementIndexed()) {
			text.append('[').append(last).append(']');
		}
		else {
			text.append(text.isEmpty() ? "" : ".").append(last);
		}
	}

	private void requireOnce(ConfigurationPropertyName name, String text) {
		String other = this.written.putIfAbsent(name, text);
		if (other != null && !other.equals(text)) {
			throw new InvalidRateLimitConfigurationException(
					"The policy source returned '" + other + "' and '" + text + "', which are one name",
					"Rename one, or write both alike.", null);
		}
	}

}
