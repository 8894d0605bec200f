package io.github.ratelimit.spring.key;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A SpEL expression over the arguments of a call, parsed once. It can read properties and
 * call methods of the arguments, and nothing else: no types, constructors, beans or
 * assignments. Immutable and thread-safe.
 */
public final class CallExpression {

	private static final Set<String> IMPLICIT = Set.of("#this", "#root");

	private static final Map<Class<? extends SpelNode>, String> FORBIDDEN = Map.of(TypeReference.class, "types",
			ConstructorReference.class, "constructors", BeanReference.class, "beans", FunctionReference.class,
			"functions", Assign.class, "assignments", OpInc.class, "assignments", OpDec.class, "assignments");

	private final SpelExpression expression;

	private final Set<String> arguments = new LinkedHashSet<>();

	/** A shared accessor, as the expression caches how it reads a property. */
	private final PropertyAccessor properties = DataBindingPropertyAccessor.forReadOnlyAccess();

	private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

	private CallExpression(SpelExpression expression) {
		this.expression = expression;
		visit(expression.getAST());
	}

	/**
	 * Parses an expression.
	 * @param text the expression, in which {@code #name} is the argument of that name
	 * @return the expression
	 * @throws IllegalArgumentException if the text does not parse or is not allowed
	 */
	public static CallExpression parse(String text) {
		try {
			return new CallExpression((SpelExpression) new SpelExpressionParser().parseExpression(text));
		}
		catch (ParseException | IllegalStateException ex) {
			throw new IllegalArgumentException("the expression '" + text + "' does not parse: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Checks the arguments that the expression uses.
	 * @param known the names of the arguments of a call
	 * @return this
	 * @throws IllegalArgumentException if the expression uses another argument
	 */
	public CallExpression over(List<String> known) {
		for (String name : this.arguments) {
			if (!known.contains(name)) {
				throw new IllegalArgumentException(
						"there is no argument '#" + name + "'; there are " + known.stream().map("#"::concat).toList());
			}
		}
		return this;
	}

	/**
	 * Returns this expression with arithmetic that never overflows. A result that does
	 * not fit has a wider type, or the expression has no value.
	 * @return this if there is no arithmetic, or an exact expression
	 * @throws IllegalArgumentException if arithmetic cannot be made exact at its position
	 */
	public CallExpression exact() {
		SpelNodeImpl known = (SpelNodeImpl) this.expression.getAST();
		SpelNodeImpl exact = ExactNodes.of(known);
		return known.equals(exact) ? this : new CallExpression(
				new SpelExpression(this.expression.getExpressionString(), exact, new SpelParserConfiguration()));
	}

	/**
	 * Returns whether the expression uses no argument, so that its value is constant.
	 * @return whether it is constant
	 */
	public boolean isConstant() {
		return this.arguments.isEmpty();
	}

	/** Returns whether the expression uses no argument but one. */
	boolean usesOnly(String argument) {
		return Set.of(argument).containsAll(this.arguments);
	}

	/**
	 * Returns the value of the expression in a call.
	 * @param arguments the arguments of the call by name
	 * @return the value
	 * @throws IllegalArgumentException if the expression has no value for the arguments
	 */
	public @Nullable Object evaluate(Map<String, @Nullable Object> arguments) {
		EvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(this.properties)
			.withMethodResolvers(this.methods)
			.withAssignmentDisabled()
			.build();
		this.arguments.forEach((name) -> context.setVariable(name, arguments.get(name)));
		try {
			return this.expression.getValue(context);
		}
		catch (EvaluationException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"the expression '" + this.expression.getExpressionString() + "' has no value: " + ex.getMessage(),
					ex);
		}
	}

	/**
	 * Returns the properties that the types of arguments do not have, as far as types
	 * tell.
	 * @param types the types of the arguments by name
	 * @return a sentence for each
	 */
	public Stream<String> unknownProperties(Map<String, Class<?>> types) {
		return ArgumentTypes.unknownProperties(this.expression.getAST(), types);
	}

	private void visit(SpelNode node) {
		String forbidden = FORBIDDEN.get(node.getClass());
		if (forbidden != null) {
			throw new IllegalArgumentException(
					"an expression here cannot use " + forbidden + ": " + node.toStringAST());
		}
		if (node instanceof VariableReference && !IMPLICIT.contains(node.toStringAST())) {
			this.arguments.add(node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			visit(node.getChild(i));
		}
	}

}
