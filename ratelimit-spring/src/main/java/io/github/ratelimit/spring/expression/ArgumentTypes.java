package io.github.ratelimit.spring.expression;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * A comparison of the properties that an expression reads with the declared types of its
 * arguments. Subclasses may have more properties.
 */
final class ArgumentTypes {

	private ArgumentTypes() {
	}

	/** Returns a sentence for each property that a type lacks. */
	static Stream<String> unknownProperties(SpelNode node, Map<String, Class<?>> types) {
		Stream<String> within = children(node).flatMap((child) -> unknownProperties(child, types));
		return Stream.concat(ofChain(node, types).stream(), within);
	}

	/** Returns a sentence on the first property of a chain that its type lacks. */
	private static Optional<String> ofChain(SpelNode chain, Map<String, Class<?>> types) {
		Class<?> type = null;
		for (SpelNode link : children(chain).toList()) {
			if (link instanceof VariableReference variable) {
				type = types.get(variable.toStringAST().substring(1));
			}
			else if (type == null || !(link instanceof PropertyOrFieldReference property) || isOpen(type)) {
				type = null;
			}
			else {
				Class<?> next = typeOf(property.getName(), type);
				if (next == null) {
					return Optional.of(type.getSimpleName() + " has no property '" + property.getName() + "'.");
				}
				type = next;
			}
		}
		return Optional.empty();
	}

	/** Returns whether values of a type may have any properties. */
	private static boolean isOpen(Class<?> type) {
		return type == Object.class || type == Optional.class || type.isArray() || Map.class.isAssignableFrom(type);
	}

	private static @Nullable Class<?> typeOf(String property, Class<?> type) {
		String capitalized = StringUtils.capitalize(property);
		Set<String> getters = Set.of(property, "get" + capitalized, "is" + capitalized);
		Stream<Class<?>> byMethod = Stream.of(type.getMethods())
			.filter((method) -> method.getParameterCount() == 0 && !method.isBridge()
					&& getters.contains(method.getName()))
			.map(Method::getReturnType);
		Field field = ReflectionUtils.findField(type, property);
		Class<?> byField = (field != null && Modifier.isPublic(field.getModifiers())) ? field.getType() : null;
		return byMethod.findFirst().orElse(byField);
	}

	private static Stream<SpelNode> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
	}

}
