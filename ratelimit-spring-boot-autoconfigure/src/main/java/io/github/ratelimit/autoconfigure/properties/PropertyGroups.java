package io.github.ratelimit.autoconfigure.properties;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * The property groups of all modules that are there.
 */
public final class PropertyGroups {

	private static final List<PropertyGroup> ALL = SpringFactoriesLoader.loadFactories(PropertyGroup.class,
			PropertyGroup.class.getClassLoader());

	private PropertyGroups() {
	}

	/** Returns the groups. */
	static List<PropertyGroup> all() {
		return ALL;
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
