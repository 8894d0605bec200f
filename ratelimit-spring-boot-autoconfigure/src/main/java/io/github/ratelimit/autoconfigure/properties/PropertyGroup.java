package io.github.ratelimit.autoconfigure.properties;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * A group of properties that another module adds, so that their names are known. The
 * module lists it in its {@code META-INF/spring.factories}.
 */
public interface PropertyGroup {

	/**
	 * Returns the name of the group.
	 * @return the name behind the prefix, such as {@code ai} for {@code ratelimit.ai.*}
	 */
	String name();

	/**
	 * Returns the type that the properties bind to.
	 * @return a record
	 */
	Class<?> type();

	/**
	 * Returns the library without which the properties have no effect.
	 * @return the library, or {@code null} if the module brings it
	 */
	default @Nullable Library library() {
		return null;
	}

	/**
	 * A library that an application may lack.
	 *
	 * @param name the name of the library, for messages
	 * @param starter the dependency to add
	 * @param types the names of its types that are needed
	 */
	record Library(String name, String starter, List<String> types) {

		boolean isPresent(@Nullable ClassLoader classes) {
			return this.types.stream().allMatch((type) -> ClassUtils.isPresent(type, classes));
		}

	}

}
