package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The properties that the code knows, with their defaults: those that its configuration
 * metadata lists, and, as that ends at maps and lists, those of a policy and of a rule.
 */
final class KnownProperties {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final String POLICIES = "ratelimit.policies";

	private static final String POLICY = POLICIES + ".<name>.";

	/** The index behind {@code ratelimit}, {@code policies} and the policy's name. */
	private static final int POLICY_PROPERTY = 3;

	private static final String RULES = "ratelimit.rules";

	private static final String RULE = RULES + "[].";

	private KnownProperties() {
	}

	/** The default of each property by its name; empty where it has none. */
	static Map<String, String> defaults() {
		Map<String, String> defaults = new TreeMap<>();
		metadata().flatMap((url) -> listed(url).stream())
			.filter((property) -> name(property).startsWith("ratelimit."))
			.forEach((property) -> defaults.put(name(property), text(property.get("defaultValue"))));
		if (defaults.remove(POLICIES) == null || defaults.remove(RULES) == null) {
			throw new IllegalStateException("no metadata lists " + POLICIES + " and " + RULES);
		}
		components("PolicyProperties").forEach((property) -> defaults.put(POLICY + property, ""));
		components("RuleProperties").forEach((property) -> defaults.put(RULE + property, ""));
		return defaults;
	}

	/** The name that a property of a YAML file has in the documentation. */
	static String documented(String property) {
		String name = property.replaceAll("\\[\\d+]$", "");
		if (name.startsWith(RULES + "[")) {
			return name.replaceAll("\\[\\d+]\\.", "[].");
		}
		if (!name.startsWith(POLICIES + ".")) {
			return name;
		}
		ConfigurationPropertyName parsed = ConfigurationPropertyName.adapt(name, '.');
		return POLICY + parsed.getElement(POLICY_PROPERTY, ConfigurationPropertyName.Form.ORIGINAL);
	}

	private static Stream<String> components(String record) {
		try {
			Class<?> type = Class.forName("io.github.ratelimit.autoconfigure.properties.RateLimitProperties$" + record);
			return Stream.of(type.getRecordComponents())
				.map((component) -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Stream<URL> metadata() {
		try {
			return Collections.list(KnownProperties.class.getClassLoader().getResources(METADATA)).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> listed(URL url) {
		try (var in = url.openStream()) {
			String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			Object properties = JsonParserFactory.getJsonParser().parseMap(json).get("properties");
			return (properties != null) ? (List<Map<String, Object>>) properties : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String name(Map<String, Object> property) {
		return text(property.get("name"));
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? value.toString() : "";
	}

}
