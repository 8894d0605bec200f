package io.github.ratelimit.spring.expression;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.spring.expression.TypeCheck.Mistake;
import io.github.ratelimit.spring.expression.TypeCheck.Use;
import io.github.ratelimit.spring.finding.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NativeDetector;

/**
 * The names that expressions at one place may use: the arguments of a method and the
 * variables that have a value there, each with its type. Immutable.
 */
public final class ExpressionScope {

	private final KeyResolver addresses;

	private final Arguments arguments;

	private final Set<Variable> variables;

	private final Set<Variable> absent;

	private final Place place;

	private ExpressionScope(KeyResolver addresses, Arguments arguments, Set<Variable> variables, Set<Variable> absent,
			Place place) {
		this.addresses = addresses;
		this.arguments = arguments;
		this.variables = Set.copyOf(variables);
		this.absent = Set.copyOf(absent);
		this.place = place;
	}

	/**
	 * Creates the scope of a call that has not ended, without arguments.
	 * @param addresses resolves the addresses of clients
	 * @return the request and its user
	 */
	public static ExpressionScope of(KeyResolver addresses) {
		return new ExpressionScope(addresses, new Arguments(Map.of(), Origin.METHOD),
				EnumSet.of(Variable.REQUEST, Variable.PRINCIPAL, Variable.USER), Set.of(), new Place("a call", null));
	}

	/**
	 * Returns this scope in an application in which variables have a value for no call.
	 * @param absent the variables, at this place or at others
	 * @return the scope
	 */
	public ExpressionScope without(Set<Variable> absent) {
		return new ExpressionScope(this.addresses, this.arguments, this.variables, absent, this.place);
	}

	/**
	 * Returns this scope at a place.
	 * @param place the property or method, for the log
	 * @return the scope
	 */
	public ExpressionScope at(String place) {
		return new ExpressionScope(this.addresses, this.arguments, this.variables, this.absent,
				new Place(place, this.place.pathVariables()));
	}

	/**
	 * Returns this scope with the arguments of a method. An argument hides a variable of
	 * its name.
	 * @param types the types of the arguments by name, in order
	 * @return the scope
	 */
	public ExpressionScope withArguments(Map<String, Class<?>> types) {
		return with(new Arguments(types, Origin.METHOD));
	}

	/**
	 * Returns this scope with further variables of the library.
	 * @param types the types of their values by name
	 * @return the scope
	 */
	public ExpressionScope withVariables(Map<String, Class<?>> types) {
		return with(new Arguments(types, Origin.LIBRARY));
	}

	/**
	 * Returns the scope of an expression of a policy before it is known which methods
	 * charge the policy. Any name may be that of an argument.
	 * @return the scope
	 */
	public ExpressionScope withAnyArguments() {
		return new ExpressionScope(this.addresses, new Arguments(Map.of(), Origin.ANY_METHOD), this.variables, Set.of(),
				this.place);
	}

	/**
	 * Returns the scope of a policy's expressions, which many methods share. There
	 * {@code #principal} is the authenticated user, whatever the arguments are, and an
	 * argument with the name of another variable is refused, as it could mean both.
	 * @return the scope
	 */
	public ExpressionScope ofPolicy() {
		return (this.arguments.origin() == Origin.METHOD)
				? with(new Arguments(this.arguments.types(), Origin.METHOD_OF_POLICY)) : this;
	}

	/**
	 * Returns this scope before the user is known.
	 * @return the scope
	 */
	public ExpressionScope beforeSecurity() {
		Set<Variable> known = EnumSet.copyOf(this.variables);
		known.removeAll(Set.of(Variable.PRINCIPAL, Variable.USER));
		return new ExpressionScope(this.addresses, this.arguments, known, this.absent, this.place);
	}

	/**
	 * Returns this scope after the method and its request have ended. No argument hides
	 * the outcome.
	 * @return the scope
	 */
	public ExpressionScope afterCall() {
		return with(List.of(Variable.RESULT, Variable.ERROR, Variable.RESPONSE));
	}

	/**
	 * Returns this scope after the request has ended.
	 * @return the scope
	 */
	public ExpressionScope afterRequest() {
		return with(List.of(Variable.ERROR, Variable.RESPONSE));
	}

	/**
	 * Returns this scope for the expressions of a rule, which always have a request.
	 * @param pathVariables the names of the variables of its paths
	 * @return the scope
	 */
	public ExpressionScope ofRule(Set<String> pathVariables) {
		return ofRequest(Set.copyOf(pathVariables)::contains);
	}

	/**
	 * Returns this scope for expressions that always have a request, of any path.
	 * @return the scope
	 */
	public ExpressionScope ofRequest() {
		return ofRequest((any) -> true);
	}

	private ExpressionScope ofRequest(Predicate<String> pathVariables) {
		return new ExpressionScope(this.addresses, this.arguments, this.variables, this.absent,
				new Place(this.place.name(), pathVariables));
	}

	private ExpressionScope with(Collection<Variable> more) {
		Set<Variable> known = EnumSet.copyOf(this.variables);
		known.addAll(more);
		return new ExpressionScope(this.addresses, this.arguments, known, this.absent, this.place);
	}

	private ExpressionScope with(Arguments arguments) {
		return new ExpressionScope(this.addresses, arguments, this.variables, this.absent, this.place);
	}

	/**
	 * Parses an expression of any value.
	 * @param text the expression
	 * @return the expression
	 * @throws IllegalArgumentException if the text does not parse, is not allowed, uses a
	 * name that has no value here, or a member that a value never has
	 */
	public ScopedExpression parse(String text) {
		return bind(CallExpression.parse(text), Use.VALUE);
	}

	/**
	 * Parses a condition.
	 * @param text the expression
	 * @return the expression
	 * @throws IllegalArgumentException as for {@link #parse}, or if the condition is the
	 * same for all calls and neither {@code true} nor {@code false}
	 */
	public ScopedExpression parseCondition(String text) {
		CallExpression expression = CallExpression.parse(text);
		ScopedExpression condition = bind(expression, Use.CONDITION);
		if (condition.isConstant() && !expression.isFixed()) {
			throw new IllegalArgumentException(
					"the condition is the same for all calls, as it uses none of " + names());
		}
		return condition;
	}

	/**
	 * Parses an expression of a number, with arithmetic that never overflows.
	 * @param text the expression
	 * @return the expression
	 * @throws IllegalArgumentException as for {@link #parse}
	 */
	public ScopedExpression parseExact(String text) {
		return bind(CallExpression.parseExact(text), Use.NUMBER);
	}

	private ScopedExpression bind(CallExpression expression, Use use) {
		Map<String, Variable> bound = new LinkedHashMap<>();
		for (String name : expression.names()) {
			variable(name).ifPresent((variable) -> bound.put(name, variable));
		}
		List<Mistake> mistakes = expression.mistakes(use, (name) -> type(name, bound), this.place.pathVariables());
		mistakes.stream().filter(Mistake::isCertain).findFirst().ifPresent((mistake) -> {
			throw new IllegalArgumentException(mistake.message());
		});
		return new ScopedExpression(expression, bound, this.addresses, new ExpressionDoubts(expression.text(),
				this.place.name(), mistakes.stream().map(Mistake::message).toList()));
	}

	private StaticType type(String name, Map<String, Variable> bound) {
		if (NativeDetector.inNativeImage()) {
			return StaticType.UNKNOWN; // not all members are known there
		}
		Variable variable = bound.get(name);
		return (variable != null) ? variable.staticType() : this.arguments.typeOf(name);
	}

	/** Returns the variable of a name, or nothing if it is an argument. */
	private Optional<Variable> variable(String name) {
		Optional<Variable> variable = Variable.named(name).filter(this.variables::contains);
		if (this.arguments.types().containsKey(name) && variable.filter(Variable::isOutcome).isEmpty()) {
			return (this.arguments.origin() == Origin.METHOD_OF_POLICY)
					? variable.map(this::unambiguous).map(this::present) : Optional.empty();
		}
		if (variable.isEmpty() && this.arguments.origin() != Origin.ANY_METHOD) {
			throw new IllegalArgumentException(Variable.named(name)
				.map((unknown) -> "'#" + name + "' has no value " + unknown.unknown())
				.orElseGet(() -> "there is no argument '#" + name + "'" + meant(name)) + "; there are " + names());
		}
		return variable.map(this::present);
	}

	private String meant(String name) {
		return NearestName.of("#" + name, names()).map((nearest) -> " (did you mean '" + nearest + "'?)").orElse("");
	}

	private Variable unambiguous(Variable variable) {
		if (variable != Variable.PRINCIPAL) {
			String name = variable.text();
			throw new IllegalArgumentException("in a policy '#" + name + "' is the " + name
					+ " of the call, but the method has an argument of that name; rename the argument, or write the "
					+ "expression in the annotation");
		}
		return variable;
	}

	private Variable present(Variable variable) {
		if (this.absent.contains(variable)) {
			throw new IllegalArgumentException("'#" + variable.text()
					+ "' has no value in an application without a web server (Spring MVC or WebFlux); use an argument of "
					+ "the method instead; there are " + names());
		}
		return variable;
	}

	private List<String> names() {
		return Stream
			.concat(this.arguments.types().keySet().stream(),
					this.variables.stream()
						.filter((variable) -> !this.absent.contains(variable))
						.sorted()
						.map(Variable::text))
			.distinct()
			.map("#"::concat)
			.collect(Collectors.toList());
	}

	/** The sources of arguments, which differ in what their names mean. */
	private enum Origin {

		/** A method, for the expressions of its annotations. */
		METHOD,

		/** A method, for the expressions of a policy that it charges. */
		METHOD_OF_POLICY,

		/** Any method that may charge a policy. */
		ANY_METHOD,

		/** The library, which has variables for one kind of call. */
		LIBRARY

	}

	/** Arguments with their types, in order. */
	private record Arguments(Map<String, Class<?>> types, Origin origin) {

		Arguments {
			types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
		}

		StaticType typeOf(String name) {
			return StaticType.of(this.types.getOrDefault(name, Object.class), this.origin == Origin.LIBRARY);
		}

	}

	/**
	 * The place of expressions.
	 *
	 * @param name the property or method, for the log
	 * @param pathVariables whether a path may have a variable, null if there may be no
	 * request
	 */
	private record Place(String name, @Nullable Predicate<String> pathVariables) {

	}

}
