package io.github.ratelimit.sample;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.PublishedProperty;
import io.github.ratelimit.autoconfigure.ai.RateLimitAiAutoConfiguration;
import io.github.ratelimit.autoconfigure.jdbc.RateLimitJdbcAutoConfiguration;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.ClassUtils;

/**
 * The properties that the published metadata lists, by their names in the documentation.
 */
final class KnownProperties {

	private static final String POLICIES = "ratelimit.policies";

	/** Properties whose names end in a word of the application's. */
	private static final List<String> MAPS = List.of("ratelimit.ai.prices", "ratelimit.ai.image-prices",
			"ratelimit.clients");

	/** A class without the technologies of the others, which the sample lacks. */
	private static final String INTEGRATIONS = "io.github.ratelimit.autoconfigure.integration.GraphQlProperties";

	/** The index behind {@code ratelimit}, {@code policies} and the policy's name. */
	private static final int POLICY_PROPERTY = 3;

	private KnownProperties() {
	}

	/** The default of each property by its name; empty where it has none. */
	static Map<String, String> defaults() {
		Map<String, String> defaults = new TreeMap<>();
		all().forEach((property) -> defaults.put(property.name(), property.defaultValue()));
		return defaults;
	}

	/** The values that editors suggest for a property. */
	static List<String> hints(String name) {
		return all().filter((property) -> property.name().equals(name))
			.flatMap((property) -> property.hints().stream())
			.toList();
	}

	private static Stream<PublishedProperty> all() {
		return Stream
			.of(PublishedProperty.all(), PublishedProperty.of(RateLimitAiAutoConfiguration.class),
					PublishedProperty.of(RateLimitJdbcAutoConfiguration.class),
					PublishedProperty.of(ClassUtils.resolveClassName(INTEGRATIONS, null)))
			.flatMap(List::stream);
	}

	/** The name that a property of a YAML file has in the documentation. */
	static String documented(String property) {
		String name = property.replaceAll("\\[\\d+]$", "");
		if (!name.startsWith(POLICIES + ".")) {
			return MAPS.stream()
				.filter((map) -> name.startsWith(map))
				.findFirst()
				.orElseGet(() -> name.replaceAll("\\[\\d+]\\.", "[]."));
		}
		ConfigurationPropertyName parsed = ConfigurationPropertyName.adapt(name, '.');
		String within = parsed.getElement(POLICY_PROPERTY, Form.ORIGINAL);
		return POLICIES + ".<name>." + switch (within) {
			case "penalty" -> within + "." + parsed.getElement(POLICY_PROPERTY + 1, Form.ORIGINAL);
			case "schedules" -> within + "[]." + parsed.getElement(POLICY_PROPERTY + 2, Form.ORIGINAL);
			default -> within;
		};
	}

}
