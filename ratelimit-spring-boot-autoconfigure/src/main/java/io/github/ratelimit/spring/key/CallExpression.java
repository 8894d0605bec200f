package io.github.ratelimit.spring.key;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

	private static final Set<String> ALWAYS_THERE = Set.of("#this", "#root");

	private static final Map<Class<? extends SpelNode>, String> REFUSED = Map.of(TypeReference.class, "types",
			ConstructorReference.class, "constructors", BeanReference.class, "beans", FunctionReference.class,
			"functions", Assign.class, "assignments", OpInc.class, "assignments", OpDec.class, "assignments");

	private final SpelExpression expression;

	private final Set<String> arguments = new LinkedHashSet<>();

	/**
	 * The same for all calls, as the expression remembers how this one read a property.
	 */
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
	 * @throws IllegalArgumentException if the text does not parse, or asks for what it
	 * cannot have
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
	 * This expression, for calls with certain arguments.
	 * @param known the names of the arguments there are
	 * @return this
	 * @throws IllegalArgumentException if the expression looks at another argument
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
	 * This expression with arithmetic that never wraps around: where a result does not
	 * fit, it has a wider type, or the expression has no value.
	 * @return this if there is no arithmetic, or an expression in its place
	 * @throws IllegalArgumentException if arithmetic stands where it cannot be made exact
	 */
	public CallExpression exact() {
		SpelNodeImpl known = (SpelNodeImpl) this.expression.getAST();
		SpelNodeImpl exact = ExactNodes.of(known);
		return known.equals(exact) ? this : new CallExpression(
				new SpelExpression(this.expression.getExpressionString(), exact, new SpelParserConfiguration()));
	}

	/**
	 * Whether the expression looks at no argument, so that it always has one value.
	 * @return whether it is constant
	 */
	public boolean isConstant() {
		return this.arguments.isEmpty();
	}

	boolean looksAtNothingBut(String argument) {
		return Set.of(argument).containsAll(this.arguments);
	}

	/**
	 * The expression's value in a call.
	 * @param arguments the call's arguments by name
	 * @return its value
	 * @throws IllegalArgumentException if the arguments are not what the expression is
	 * made for
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

	private void visit(SpelNode node) {
		String refused = REFUSED.get(node.getClass());
		if (refused != null) {
			throw new IllegalArgumentException("an expression here cannot use " + refused + ": " + node.toStringAST());
		}
		if (node instanceof VariableReference && !ALWAYS_THERE.contains(node.toStringAST())) {
			this.arguments.add(node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			visit(node.getChild(i));
		}
	}

}
