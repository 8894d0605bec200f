package io.github.ratelimit.spring.expression;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * The members of a type that expressions can use: public methods, properties with an
 * accessor, and public fields. Members of {@code Object} are none.
 *
 * @param type the type
 */
record Members(Class<?> type) {

	private static final Set<String> OF_OBJECT = Set.of("toString", "hashCode", "equals");

	private static final List<String> ACCESSORS = List.of("get", "is");

	/** The one property of arrays. */
	private static final String LENGTH = "length";

	/** A longer list would hide the message that it is part of. */
	private static final int MOST_LISTED = 12;

	/** Returns whether values may have members that the type does not have. */
	boolean isOpen() {
		return !this.type.isArray() && Modifier.isAbstract(this.type.getModifiers());
	}

	/** Returns whether an index may be something else than the name of a property. */
	boolean mayHaveElements() {
		return isOpen() || this.type.isArray() || Map.class.isAssignableFrom(this.type)
				|| Collection.class.isAssignableFrom(this.type);
	}

	/**
	 * Returns the type of a property, or nothing if there is no such property.
	 */
	Optional<Class<?>> property(String name) {
		if (this.type.isArray()) {
			return name.equals(LENGTH) ? Optional.of(Integer.class) : Optional.empty();
		}
		String capitalized = StringUtils.capitalize(name);
		return Stream.of("get" + capitalized, "get" + name, "is" + capitalized, "is" + name, name)
			.flatMap((accessor) -> methods(accessor).stream())
			.filter((method) -> method.getParameterCount() == 0)
			.<Class<?>>map(Members::resultOf)
			.findFirst()
			.or(() -> Optional.ofNullable(field(name)));
	}

	private @Nullable Class<?> field(String name) {
		Field field = ReflectionUtils.findField(this.type, name);
		return (field != null && Modifier.isPublic(field.getModifiers())) ? field.getType() : null;
	}

	/** Returns the methods of a name, those that bridge to others last. */
	List<Method> methods(String name) {
		return methods().filter((method) -> method.getName().equals(name))
			.sorted(Comparator.comparing(Method::isBridge))
			.toList();
	}

	private Stream<Method> methods() {
		return Stream.of(this.type.getMethods())
			.filter((method) -> !Modifier.isStatic(method.getModifiers())
					&& method.getDeclaringClass() != Object.class);
	}

	/** Returns the type of a method's result, {@code Object} if it depends on the use. */
	static Class<?> resultOf(Method method) {
		return (method.getGenericReturnType() instanceof TypeVariable) ? Object.class : method.getReturnType();
	}

	/** Returns the member that is meant by a name, if one is similar. */
	Optional<String> nearest(String name) {
		List<String> known = names();
		Optional<String> nearest = isOpen() ? NearestName.typo(name, known)
				: NearestName.of(name, known).or(() -> NearestName.of(propertyOf(name), known));
		return nearest.map(this::shown);
	}

	/** Returns all members, or nothing if there are many. */
	Optional<List<String>> listed() {
		List<String> names = names();
		return (names.size() > MOST_LISTED) ? Optional.empty() : Optional.of(names.stream().map(this::shown).toList());
	}

	/** Returns a name, with parentheses if it is that of a method with parameters. */
	private String shown(String name) {
		return property(name).isPresent() ? name : name + "()";
	}

	private List<String> names() {
		if (this.type.isArray()) {
			return List.of(LENGTH);
		}
		Stream<String> methods = methods().map(Method::getName)
			.filter((name) -> !OF_OBJECT.contains(name))
			.map((name) -> propertyOf(name));
		return Stream.concat(methods, Stream.of(this.type.getFields()).map(Field::getName))
			.collect(Collectors.toCollection(TreeSet::new))
			.stream()
			.toList();
	}

	private static String propertyOf(String method) {
		return ACCESSORS.stream()
			.filter((accessor) -> method.startsWith(accessor) && method.length() > accessor.length()
					&& Character.isUpperCase(method.charAt(accessor.length())))
			.findFirst()
			.map((accessor) -> StringUtils.uncapitalize(method.substring(accessor.length())))
			.orElse(method);
	}

}
