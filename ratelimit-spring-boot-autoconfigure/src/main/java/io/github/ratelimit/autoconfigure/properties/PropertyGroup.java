package io.github.ratelimit.autoconfigure.properties;

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

}
