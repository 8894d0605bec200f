package io.github.ratelimit.autoconfigure.properties;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup.Library;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * The property groups of the modules that are on the class path.
 */
public final class PropertyGroups {

	private static final String INTEGRATIONS = "ratelimit-spring-integrations";

	private static final String AI = "ratelimit-spring-ai";

	private static final List<PropertyGroup> ALL = SpringFactoriesLoader.loadFactories(PropertyGroup.class,
			PropertyGroup.class.getClassLoader());

	/** The modules by their properties without which they limit nothing. */
	private static final Map<String, String> MODULES = Map.of("graphql.policies", INTEGRATIONS, "grpc.policies",
			INTEGRATIONS, "stomp.policies", INTEGRATIONS, "ai.requests", AI, "ai.tokens", AI, "ai.cost", AI,
			"mcp.policies", AI);

	private PropertyGroups() {
	}

	/** Returns the groups. */
	static List<PropertyGroup> all() {
		return ALL;
	}

	/** Returns the module that adds a group, or null if there is no such group. */
	static @Nullable String moduleOf(String group) {
		return MODULES.entrySet()
			.stream()
			.filter((property) -> property.getKey().startsWith(group + '.'))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	/** Returns the library that a property needs, or null if it needs none. */
	static @Nullable Library libraryOf(ConfigurationPropertyName property) {
		String name = property.getElement(1, Form.UNIFORM);
		return ALL.stream()
			.filter((group) -> group.name().equals(name))
			.flatMap((group) -> Stream.ofNullable(group.library()))
			.findFirst()
			.orElse(null);
	}

	/** Returns whether a property limits calls if its module and library are there. */
	static boolean isLimiting(ConfigurationPropertyName property) {
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(RateLimitProperties.PREFIX);
		return MODULES.keySet()
			.stream()
			.map(prefix::append)
			.anyMatch((limiting) -> limiting.equals(property) || limiting.isAncestorOf(property));
	}

	/**
	 * Returns the types by which libraries are found at run time.
	 * @return the names of types
	 */
	public static Stream<String> typesOfLibraries() {
		return ALL.stream()
			.flatMap((group) -> Stream.ofNullable(group.library()))
			.flatMap((library) -> library.types().stream());
	}

	/**
	 * Returns the types that the properties of all groups bind to.
	 * @return records
	 */
	public static Class<?>[] types() {
		return ALL.stream().map(PropertyGroup::type).toArray(Class<?>[]::new);
	}

	/**
	 * Reads the properties of all groups.
	 * @param environment the properties
	 * @return the record of each group by the group's name
	 */
	public static Map<String, Object> read(Environment environment) {
		Binder binder = Binder.get(environment);
		return ALL.stream().collect(Collectors.toMap(PropertyGroup::name, (group) -> read(group, binder)));
	}

	private static Object read(PropertyGroup group, Binder binder) {
		return binder.bindOrCreate(RateLimitProperties.PREFIX + '.' + group.name(), group.type());
	}

}
