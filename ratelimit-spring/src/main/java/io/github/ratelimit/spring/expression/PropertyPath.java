package io.github.ratelimit.spring.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression such as {@code #user.id}, which reads properties of a variable. Most keys
 * are such paths. Read without an evaluation context, they cost a fraction of an
 * expression. Thread-safe.
 */
final class PropertyPath {

	private static final EvaluationContext CONTEXT = SimpleEvaluationContext.forReadOnlyDataBinding().build();

	private final String variable;

	/** The properties in order. An array, as an iterator for each call is garbage. */
	private final Property[] properties;

	private PropertyPath(String variable, List<Property> properties) {
		this.variable = variable;
		this.properties = properties.toArray(Property[]::new);
	}

	/** Returns an expression as a path, or nothing if it is none. */
	static Optional<PropertyPath> of(SpelNode expression) {
		if (expression instanceof VariableReference variable) {
			return Optional.of(new PropertyPath(name(variable), List.of()));
		}
		if (!(expression instanceof CompoundExpression) || !(expression.getChild(0) instanceof VariableReference)) {
			return Optional.empty();
		}
		List<Property> properties = new ArrayList<>();
		for (int i = 1; i < expression.getChildCount(); i++) {
			if (!(expression.getChild(i) instanceof PropertyOrFieldReference property) || property.isNullSafe()) {
				return Optional.empty();
			}
			properties.add(new Property(property.getName()));
		}
		return Optional.of(new PropertyPath(name(expression.getChild(0)), properties));
	}

	private static String name(SpelNode variable) {
		return variable.toStringAST().substring(1);
	}

	/** Returns the name of the variable. */
	String variable() {
		return this.variable;
	}

	/**
	 * Returns the value of the path, or {@code null} if SpEL must say what is wrong with
	 * it.
	 */
	@Nullable Object read(@Nullable Object variable) {
		Object value = variable;
		for (Property property : this.properties) {
			value = (value != null) ? property.read(value) : null;
		}
		return value;
	}

	/** A property, with the way to read it from the class that had it last. */
	private static final class Property {

		private final String name;

		private volatile @Nullable Reader last;

		Property(String name) {
			this.name = name;
		}

		@Nullable Object read(Object target) {
			Reader reader = this.last;
			if (reader == null || reader.type() != target.getClass()) {
				reader = new Reader(target.getClass(), accessor(target));
				this.last = reader;
			}
			try {
				return (reader.accessor() != null) ? reader.accessor().read(CONTEXT, target, this.name).getValue()
						: null;
			}
			catch (AccessException ex) {
				return null;
			}
		}

		private @Nullable PropertyAccessor accessor(Object target) {
			DataBindingPropertyAccessor standard = DataBindingPropertyAccessor.forReadOnlyAccess();
			PropertyAccessor optimal = standard.createOptimalAccessor(CONTEXT, target, this.name);
			return (optimal != standard) ? optimal : null;
		}

	}

	/** A way to read a property of a class, or null if there is none. */
	private record Reader(Class<?> type, @Nullable PropertyAccessor accessor) {

	}

}
