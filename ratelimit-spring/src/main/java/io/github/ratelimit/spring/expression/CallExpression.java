package io.github.ratelimit.spring.expression;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.spring.expression.TypeCheck.Mistake;
import io.github.ratelimit.spring.expression.TypeCheck.Use;
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
import org.springframework.expression.spel.ast.BooleanLiteral;
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
 * A SpEL expression over variables, parsed once. It can read properties and call methods
 * of their values, and nothing else: no types, constructors, beans or assignments.
 * Immutable and thread-safe.
 */
public final class CallExpression {

	private static final Set<String> IMPLICIT = Set.of("#this", "#root");

	private static final Map<Class<? extends SpelNode>, String> FORBIDDEN = Map.of(TypeReference.class, "types",
			ConstructorReference.class, "constructors", BeanReference.class, "beans", FunctionReference.class,
			"functions", Assign.class, "assignments", OpInc.class, "assignments", OpDec.class, "assignments");

	private final SpelExpression expression;

	private final Set<String> names = new LinkedHashSet<>();

	private final @Nullable PropertyPath path;

	/** A shared accessor, as the expression caches how it reads a property. */
	private final PropertyAccessor properties = DataBindingPropertyAccessor.forReadOnlyAccess();

	private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

	private CallExpression(SpelExpression expression) {
		this.expression = expression;
		visit(expression.getAST());
		this.path = PropertyPath.of(expression.getAST()).orElse(null);
	}

	/**
	 * Parses an expression.
	 * @param text the expression, in which {@code #name} is the variable of that name
	 * @return the expression
	 * @throws IllegalArgumentException if the text does not parse or is not allowed
	 */
	public static CallExpression parse(String text) {
		return new CallExpression(parsed(text));
	}

	/**
	 * Parses an expression with arithmetic that never overflows. A result that does not
	 * fit has a wider type, or the expression has no value.
	 */
	static CallExpression parseExact(String text) {
		SpelNodeImpl exact = ExactOperator.within((SpelNodeImpl) parsed(text).getAST());
		return new CallExpression(new SpelExpression(text, exact, new SpelParserConfiguration()));
	}

	private static SpelExpression parsed(String text) {
		try {
			return (SpelExpression) new SpelExpressionParser().parseExpression(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new IllegalArgumentException("the expression '" + text + "' does not parse: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns whether the expression uses no names but those of some variables.
	 * @param variables the variables
	 * @return whether its value depends on nothing else
	 */
	public boolean usesOnly(Set<Variable> variables) {
		return this.names.stream().allMatch((name) -> Variable.named(name).filter(variables::contains).isPresent());
	}

	/** Returns the expression as configured. */
	String text() {
		return this.expression.getExpressionString();
	}

	/** Returns the names of the variables that the expression uses. */
	Set<String> names() {
		return this.names;
	}

	/** Returns the expression as a path, the quickest way to its value, or null. */
	@Nullable PropertyPath path() {
		return this.path;
	}

	/**
	 * Returns the value of the expression. Throws IllegalArgumentException if it has none
	 * for the variables.
	 */
	@Nullable Object evaluate(Function<String, @Nullable Object> variables) {
		return evaluate(context(variables));
	}

	private EvaluationContext context(Function<String, @Nullable Object> variables) {
		EvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(this.properties)
			.withMethodResolvers(this.methods)
			.withAssignmentDisabled()
			.build();
		this.names.forEach((name) -> context.setVariable(name, variables.apply(name)));
		return context;
	}

	private @Nullable Object evaluate(EvaluationContext context) {
		try {
			return this.expression.getValue(context);
		}
		catch (EvaluationException | ArithmeticException ex) {
			throw noValue(String.valueOf(ex.getMessage()), ex);
		}
		catch (RuntimeException ex) {
			// The message of a method may show a value, such as that of a key.
			throw noValue("a method threw " + ex.getClass().getName(), ex);
		}
	}

	/**
	 * Returns the mistakes that the types of the values show.
	 * @param use the kind of value that the expression needs
	 * @param types returns the type of a variable
	 * @param pathVariables whether a path may have a variable, null if there may be no
	 * request
	 * @return the mistakes
	 */
	List<Mistake> mistakes(Use use, Function<String, StaticType> types, @Nullable Predicate<String> pathVariables) {
		return TypeCheck.of(this.expression.getAST(), use, types, pathVariables);
	}

	/** Returns whether the expression is {@code true} or {@code false}. */
	boolean isFixed() {
		return this.expression.getAST() instanceof BooleanLiteral;
	}

	private IllegalArgumentException noValue(String reason, RuntimeException cause) {
		return new IllegalArgumentException("the expression '" + text() + "' has no value: " + reason, cause);
	}

	private void visit(SpelNode node) {
		String forbidden = FORBIDDEN.get(node.getClass());
		if (forbidden != null) {
			throw new IllegalArgumentException(
					"an expression here cannot use " + forbidden + ": " + node.toStringAST());
		}
		if (node instanceof VariableReference && !IMPLICIT.contains(node.toStringAST())) {
			this.names.add(node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			visit(node.getChild(i));
		}
	}

}
