package io.github.ratelimit.spring.expression;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyResolver;

/**
 * The names that expressions at one place may use: the arguments of a method and the
 * variables that have a value there. Immutable.
 */
public final class ExpressionScope {

	private final KeyResolver addresses;

	private final List<String> arguments;

	private final Set<Variable> variables;

	private final Set<Variable> absent;

	private final boolean ofPolicy;

	private ExpressionScope(KeyResolver addresses, List<String> arguments, Set<Variable> variables,
			Set<Variable> absent, boolean ofPolicy) {
		this.addresses = addresses;
		this.arguments = List.copyOf(arguments);
		this.variables = Set.copyOf(variables);
		this.absent = Set.copyOf(absent);
		this.ofPolicy = ofPolicy;
	}

	/**
	 * Creates the scope of a call that has not ended, without arguments.
	 * @param addresses resolves the addresses of clients
	 * @return the request and its user
	 */
	public static ExpressionScope of(KeyResolver addresses) {
		return new ExpressionScope(addresses, List.of(),
				EnumSet.of(Variable.REQUEST, Variable.PRINCIPAL, Variable.USER), Set.of(), false);
	}

	/**
	 * Returns this scope in an application in which variables have a value for no call.
	 * @param absent the variables, at this place or at others
	 * @return the scope
	 */
	public ExpressionScope without(Set<Variable> absent) {
		return new ExpressionScope(this.addresses, this.arguments, this.variables, absent, this.ofPolicy);
	}

	/**
	 * Returns this scope with the arguments of a method. An argument hides a variable of
	 * its name.
	 * @param names the names of the arguments
	 * @return the scope
	 */
	public ExpressionScope withArguments(List<String> names) {
		return new ExpressionScope(this.addresses, names, this.variables, this.absent, false);
	}

	/**
	 * Returns the scope of a policy's expressions, which many methods share. There
	 * {@code #principal} is the authenticated user, whatever the arguments are, and an
	 * argument with the name of another variable is refused, as it could mean both.
	 * @return the scope
	 */
	public ExpressionScope ofPolicy() {
		return new ExpressionScope(this.addresses, this.arguments, this.variables, this.absent, true);
	}

	/**
	 * Returns this scope before the user is known.
	 * @return the scope
	 */
	public ExpressionScope beforeSecurity() {
		Set<Variable> known = EnumSet.copyOf(this.variables);
		known.removeAll(Set.of(Variable.PRINCIPAL, Variable.USER));
		return new ExpressionScope(this.addresses, this.arguments, known, this.absent, this.ofPolicy);
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

	private ExpressionScope with(Collection<Variable> more) {
		Set<Variable> known = EnumSet.copyOf(this.variables);
		known.addAll(more);
		return new ExpressionScope(this.addresses, this.arguments, known, this.absent, this.ofPolicy);
	}

	/**
	 * Parses an expression.
	 * @param text the expression
	 * @return the expression
	 * @throws IllegalArgumentException if the text does not parse, is not allowed or uses
	 * a name that has no value here
	 */
	public ScopedExpression parse(String text) {
		return bind(CallExpression.parse(text));
	}

	/**
	 * Parses an expression, with arithmetic that never overflows.
	 * @param text the expression
	 * @return the expression
	 * @throws IllegalArgumentException as for {@link #parse}, or if arithmetic cannot be
	 * made exact at its position
	 */
	public ScopedExpression parseExact(String text) {
		return bind(CallExpression.parse(text).exact());
	}

	private ScopedExpression bind(CallExpression expression) {
		Map<String, Variable> bound = new LinkedHashMap<>();
		for (String name : expression.names()) {
			variable(name).ifPresent((variable) -> bound.put(name, variable));
		}
		return new ScopedExpression(expression, bound, this.addresses);
	}

	/** Returns the variable of a name, or nothing if it is an argument. */
	private Optional<Variable> variable(String name) {
		Optional<Variable> variable = Variable.named(name).filter(this.variables::contains);
		if (this.arguments.contains(name) && variable.filter(Variable::isOutcome).isEmpty()) {
			return this.ofPolicy ? variable.map(this::unambiguous).map(this::present) : Optional.empty();
		}
		if (variable.isEmpty()) {
			throw new IllegalArgumentException(Variable.named(name)
				.map((unknown) -> "'#" + name + "' has no value " + unknown.unknown())
				.orElse("there is no argument '#" + name + "'") + "; there are " + names());
		}
		return variable.map(this::present);
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
			.concat(this.arguments.stream(),
					this.variables.stream()
						.filter((variable) -> !this.absent.contains(variable))
						.sorted()
						.map(Variable::text))
			.distinct()
			.map("#"::concat)
			.collect(Collectors.toList());
	}

}
