package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/**
 * A property as the published metadata describes it to editors.
 *
 * @param name the name as in the documentation, such as
 * {@code ratelimit.policies.<name>.limits}
 * @param type the name of the Java type
 * @param description a sentence
 * @param defaultValue the default as in YAML; empty if there is none
 * @param hints the values that editors suggest
 */
public record PublishedProperty(String name, String type, String description, String defaultValue, List<String> hints) {

	private static final String PREFIX = "ratelimit.";

	/** The prefixes of properties within maps and lists, by the files that list them. */
	private static final Map<String, String> FILES = Map.of("META-INF/spring-configuration-metadata.json", "",
			source("PolicyProperties"), PREFIX + "policies.<name>.", source("PolicyProperties$ScheduleProperties"),
			PREFIX + "policies.<name>.schedules[].", source("RateLimitProperties$RuleProperties"), PREFIX + "rules[].");

	/**
	 * Returns every property of the starter, those within maps and lists too.
	 * @return the properties, in no order
	 */
	public static List<PublishedProperty> all() {
		return FILES.entrySet()
			.stream()
			.flatMap((file) -> read(json(RateLimitAutoConfiguration.class, file.getKey()), file.getValue()))
			.filter((property) -> property.name().startsWith(PREFIX))
			.filter((property) -> !property.type().contains("PolicyProperties>")
					&& !property.type().contains("PolicyProperties$ScheduleProperties>")
					&& !property.type().contains("RateLimitProperties$RuleProperties>"))
			.toList();
	}

	/**
	 * Returns every property of another module.
	 * @param wiring the module's auto-configuration
	 * @return the properties, in no order
	 */
	public static List<PublishedProperty> of(Class<?> wiring) {
		return read(json(wiring, "META-INF/spring-configuration-metadata.json"), "").toList();
	}

	/**
	 * Returns the constants of the property's type.
	 * @return the constants if the type is an enum, else nothing
	 */
	public List<Enum<?>> constants() {
		if (this.type.contains("<")) {
			return List.of();
		}
		Class<?> resolved = ClassUtils.resolveClassName(this.type, null);
		return resolved.isEnum() ? Stream.of(resolved.getEnumConstants()).<Enum<?>>map(Enum.class::cast).toList()
				: List.of();
	}

	private static Stream<PublishedProperty> read(Map<String, Object> json, String prefix) {
		List<Map<String, Object>> hints = list(json.get("hints"));
		return list(json.get("properties")).stream()
			.map((property) -> new PublishedProperty(prefix + property.get("name"), text(property.get("type")),
					text(property.get("description")), text(property.get("defaultValue")),
					hints(hints, text(property.get("name")))));
	}

	private static List<String> hints(List<Map<String, Object>> all, String property) {
		return all.stream()
			.filter((hint) -> property.equals(hint.get("name")))
			.flatMap((hint) -> list(hint.get("values")).stream())
			.map((value) -> text(value.get("value")))
			.toList();
	}

	private static String source(String type) {
		return "META-INF/spring/configuration-metadata/io.github.ratelimit.autoconfigure.properties." + type + ".json";
	}

	/** Reads the file next to the auto-configuration, as other jars have one too. */
	private static Map<String, Object> json(Class<?> wiring, String file) {
		String classes = wiring.getProtectionDomain().getCodeSource().getLocation().toString();
		String root = classes.endsWith(".jar") ? "jar:" + classes + "!/" : classes;
		try (InputStream in = URI.create(root + file.replace("$", "%24")).toURL().openStream()) {
			return JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(@Nullable Object value) {
		return (value != null) ? (List<Map<String, Object>>) value : List.of();
	}

	private static String text(@Nullable Object value) {
		return Objects.toString(value, "");
	}

	@Override
	public String toString() {
		return this.name;
	}

}
