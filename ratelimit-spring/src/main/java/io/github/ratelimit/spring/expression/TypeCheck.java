package io.github.ratelimit.spring.expression;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorMatches;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * A check of one expression against the types of the values that it reads. It finds
 * members that do not exist, calls that do not fit, names that belong to nothing and
 * comparisons that never hold. A type that is not known is not doubted.
 */
final class TypeCheck {

	private static final Set<Class<?>> CONDITIONS = Set.of(OpAnd.class, OpOr.class, OpLT.class, OpLE.class, OpGT.class,
			OpGE.class, OperatorNot.class, OperatorMatches.class, OperatorBetween.class, OperatorInstanceof.class);

	private static final String ROLE_PREFIX = "ROLE_";

	private static final Set<String> METHOD = Set.of("#request.method", "#request?.method", "#request.getMethod()");

	private final Function<String, StaticType> variables;

	/** Whether a path may have a variable, null if there may be no request. */
	private final @Nullable Predicate<String> pathVariables;

	private final List<Mistake> mistakes = new ArrayList<>();

	/** The number of projections and selections around a node, which have elements. */
	private int depth;

	private TypeCheck(Function<String, StaticType> variables, @Nullable Predicate<String> pathVariables) {
		this.variables = variables;
		this.pathVariables = pathVariables;
	}

	/**
	 * Checks an expression.
	 * @param expression the expression
	 * @param use the kind of value that it needs
	 * @param variables returns the type of a variable
	 * @param pathVariables whether a path may have a variable, null if there may be no
	 * request
	 */
	static List<Mistake> of(SpelNode expression, Use use, Function<String, StaticType> variables,
			@Nullable Predicate<String> pathVariables) {
		TypeCheck check = new TypeCheck(variables, pathVariables);
		StaticType type = check.visit(expression);
		if (type.isKnown() && type.isFinal() && !use.accepts(type.type())) {
			check.report(type.isOwn(), use.needs() + ", but '" + expression.toStringAST() + "' is " + type.noun());
		}
		return List.copyOf(check.mistakes);
	}

	private void report(boolean isCertain, String message) {
		this.mistakes.add(new Mistake(message, isCertain));
	}

	private StaticType visit(SpelNode node) {
		if (node instanceof CompoundExpression) {
			return chain(node);
		}
		if (node instanceof VariableReference variable) {
			return variable(variable.toStringAST());
		}
		if (node instanceof Literal literal) {
			Object value = literal.getLiteralValue().getValue();
			return (value != null) ? StaticType.of(value.getClass(), true) : StaticType.UNKNOWN;
		}
		if (node instanceof OpEQ || node instanceof OpNE || node instanceof Elvis) {
			return compared(node);
		}
		return other(node);
	}

	private StaticType other(SpelNode node) {
		if (node instanceof PropertyOrFieldReference && this.depth == 0) {
			String name = node.toStringAST();
			report(true,
					"'" + name + "' belongs to nothing; write #" + name + ", or '" + name + "' in quotes for a text");
		}
		if (node instanceof MethodReference && this.depth == 0) {
			report(true,
					"'" + node.toStringAST() + "' belongs to nothing; write the value that has it in front, such as "
							+ "#request." + node.toStringAST());
		}
		children(node).filter((child) -> !(node instanceof InlineMap && child instanceof PropertyOrFieldReference))
			.forEach(this::visit);
		return CONDITIONS.contains(node.getClass()) ? StaticType.CONDITION : StaticType.UNKNOWN;
	}

	private StaticType variable(String text) {
		if (text.equals("#root") || (text.equals("#this") && this.depth == 0)) {
			report(true, "'" + text + "' has no value; write # and the name of an argument or variable");
		}
		return text.equals("#root") || text.equals("#this") ? StaticType.UNKNOWN
				: this.variables.apply(text.substring(1));
	}

	/** Checks that sides may be equal, or that one may be null. */
	private StaticType compared(SpelNode node) {
		List<StaticType> sides = children(node).map(this::visit).toList();
		if (sides.stream().anyMatch((side) -> side.type() == UserView.class)) {
			report(true, "'#user' is never null and equals nothing, as without an authenticated user it is there, but "
					+ "has no name; write " + node.toStringAST().replace("#user", "#user.name"));
		}
		else if (this.pathVariables != null && sides.stream().anyMatch((side) -> side.type() == RequestView.class)) {
			report(true, "'#request' is never null here and equals nothing; compare one of its properties");
		}
		else if (!(node instanceof Elvis)) {
			requireEqual(node.getChild(0), sides.get(0), node.getChild(1), sides.get(1));
			requireEqual(node.getChild(1), sides.get(1), node.getChild(0), sides.get(0));
		}
		return (node instanceof Elvis) ? StaticType.UNKNOWN : StaticType.CONDITION;
	}

	/** Checks that a value may equal a literal. */
	private void requireEqual(SpelNode node, StaticType type, SpelNode other, StaticType value) {
		if (!(node instanceof Literal literal) || other instanceof Literal) {
			return;
		}
		String never = "'" + other.toStringAST() + "' is " + value.noun() + ", which never equals "
				+ literal.toStringAST() + "; write ";
		if ((type.isText() && value.isNumber()) || (type.isNumber() && value.isText())) {
			report(value.isOwn(), never + "it " + (type.isText() ? "without" : "in") + " quotes");
		}
		String capital = literal.toStringAST().toUpperCase(Locale.ROOT);
		if (value.isOwn() && METHOD.contains(other.toStringAST()) && !capital.equals(literal.toStringAST())) {
			report(true, never + capital);
		}
	}

	private StaticType chain(SpelNode chain) {
		StaticType type = visit(chain.getChild(0));
		StringBuilder text = new StringBuilder(chain.getChild(0).toStringAST());
		for (SpelNode link : children(chain).skip(1).toList()) {
			type = link(text.toString(), type, link);
			text.append((link instanceof Indexer) ? "" : isNullSafe(link) ? "?." : ".").append(link.toStringAST());
		}
		return type;
	}

	private StaticType link(String text, StaticType target, SpelNode link) {
		boolean isElement = link instanceof Projection || link instanceof Selection;
		boolean isName = link instanceof Indexer && link.getChild(0) instanceof PropertyOrFieldReference
				&& !target.isView();
		this.depth += isElement ? 1 : 0;
		List<StaticType> arguments = isName ? List.of() : children(link).map(this::visit).toList();
		this.depth -= isElement ? 1 : 0;
		if (!target.isKnown() || (target.type() == Optional.class && isNullSafe(link))) {
			return StaticType.UNKNOWN;
		}
		if (link instanceof PropertyOrFieldReference property) {
			return property(text, target, property.getName());
		}
		if (link instanceof Indexer && link.getChild(0) instanceof StringLiteral name
				&& !new Members(target.type()).mayHaveElements()) {
			return property(text, target, String.valueOf(name.getLiteralValue().getValue()));
		}
		return (link instanceof MethodReference method) ? method(text, target, method, arguments) : StaticType.UNKNOWN;
	}

	private StaticType property(String text, StaticType target, String name) {
		Members members = new Members(target.type());
		Optional<Class<?>> type = members.property(name);
		if (type.isPresent()) {
			return StaticType.of(type.get(), target.isOwn());
		}
		boolean isEntry = Map.class.isAssignableFrom(target.type());
		String lacks = shown(text, target) + " has no property '" + name + "'";
		if (isEntry || !members.methods(name).isEmpty()) {
			report(target.isOwn(), lacks + "; write " + text + (isEntry ? "['" + name + "']" : "." + name + "(...)"));
		}
		else {
			reportUnknown(lacks, text, target, name);
		}
		return StaticType.UNKNOWN;
	}

	private StaticType method(String text, StaticType target, MethodReference call, List<StaticType> arguments) {
		Members members = new Members(target.type());
		String name = call.getName();
		List<Method> named = members.methods(name);
		List<Method> fitting = named.stream().filter((method) -> fits(method, arguments, target)).toList();
		if (named.isEmpty() && arguments.isEmpty() && members.property(name).isPresent()) {
			report(target.isOwn(), shown(text, target) + " has no method '" + name + "'; write " + text + "." + name);
		}
		else if (named.isEmpty()) {
			reportUnknown(shown(text, target) + " has no method '" + name + "'", text, target, name);
		}
		else if (fitting.isEmpty() && !members.isOpen()) {
			report(target.isOwn(), "'" + text + "." + name + "' takes " + parameters(named) + ", not ("
					+ simpleNames(arguments.stream().map(StaticType::type)) + ")");
		}
		requireRole(target, call);
		requirePathVariable(target, call);
		List<Class<?>> results = fitting.stream().<Class<?>>map(Members::resultOf).distinct().toList();
		return (results.size() == 1) ? StaticType.of(results.get(0), target.isOwn()) : StaticType.UNKNOWN;
	}

	private void requireRole(StaticType target, MethodReference call) {
		if (target.type() == UserView.class && call.getName().equals("hasRole") && call.getChildCount() == 1
				&& call.getChild(0) instanceof StringLiteral role
				&& String.valueOf(role.getLiteralValue().getValue()).startsWith(ROLE_PREFIX)) {
			report(true, "a role is written without '" + ROLE_PREFIX + "'; write "
					+ call.toStringAST().replaceFirst(ROLE_PREFIX, ""));
		}
	}

	private void requirePathVariable(StaticType target, MethodReference call) {
		if (this.pathVariables != null && target.type() == RequestView.class && call.getName().equals("pathVariable")
				&& call.getChildCount() == 1 && call.getChild(0) instanceof StringLiteral literal) {
			String name = String.valueOf(literal.getLiteralValue().getValue());
			if (!this.pathVariables.test(name)) {
				report(true, "no path of the rule has the variable {" + name + "}");
			}
		}
	}

	private void reportUnknown(String lacks, String text, StaticType target, String name) {
		Members members = new Members(target.type());
		Optional<String> nearest = members.nearest(name).map((meant) -> " (did you mean " + text + "." + meant + "?)");
		if (nearest.isPresent() || !members.isOpen() || target.isOwn()) {
			report(target.isOwn(),
					lacks + nearest.or(() -> members.listed().map((all) -> "; there are " + all)).orElse(""));
		}
	}

	private static String shown(String text, StaticType target) {
		return "'" + text + "'" + (target.isOwn() ? "" : " (" + target.type().getSimpleName() + ")");
	}

	/** Returns whether a method takes arguments, as far as their types are known. */
	private static boolean fits(Method method, List<StaticType> arguments, StaticType target) {
		if (method.isVarArgs()) {
			return arguments.size() >= method.getParameterCount() - 1;
		}
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length == arguments.size() && IntStream.range(0, parameters.length)
			.allMatch((index) -> (target.isView() && arguments.get(index).isOwn()) ? arguments.get(index).isText()
					: isConvertible(arguments.get(index), parameters[index]));
	}

	private static boolean isConvertible(StaticType argument, Class<?> parameter) {
		return !argument.isKnown() || !argument.isFinal()
				|| StaticType.of(parameter, false).type().isAssignableFrom(argument.type())
				|| DefaultConversionService.getSharedInstance().canConvert(argument.type(), parameter);
	}

	private static String parameters(List<Method> methods) {
		return methods.stream()
			.map((method) -> "(" + simpleNames(Stream.of(method.getParameterTypes())) + ")")
			.distinct()
			.collect(Collectors.joining(" or "));
	}

	private static String simpleNames(Stream<Class<?>> types) {
		return types.map(Class::getSimpleName).collect(Collectors.joining(", "));
	}

	private static boolean isNullSafe(SpelNode link) {
		return link instanceof SpelNodeImpl node && node.isNullSafe();
	}

	private static Stream<SpelNode> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
	}

	/**
	 * A mistake in an expression.
	 *
	 * @param message the mistake and its remedy
	 * @param isCertain whether the expression is wrong in any application
	 */
	record Mistake(String message, boolean isCertain) {

	}

	/** The kinds of values that places need. */
	enum Use {

		/** Any value. */
		VALUE(Object.class, ""),

		/** A condition. */
		CONDITION(Boolean.class, "a condition is true or false"),

		/** A number. */
		NUMBER(Number.class, "a cost is a number");

		private final Class<?> type;

		private final String needs;

		Use(Class<?> type, String needs) {
			this.type = type;
			this.needs = needs;
		}

		boolean accepts(Class<?> type) {
			return this.type.isAssignableFrom(type);
		}

		String needs() {
			return this.needs;
		}

	}

}
