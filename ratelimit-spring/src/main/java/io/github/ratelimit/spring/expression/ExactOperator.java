package io.github.ratelimit.spring.expression;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.Expression;
import org.springframework.expression.Operation;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

/**
 * An arithmetic operator that is exact on whole and decimal numbers. On other operands,
 * such as texts and floating point, it behaves as SpEL's.
 */
final class ExactOperator extends SpelNodeImpl {

	private static final Map<Class<?>, Operation> OPERATIONS = Map.of(OpPlus.class, Operation.ADD, OpMinus.class,
			Operation.SUBTRACT, OpMultiply.class, Operation.MULTIPLY, OpDivide.class, Operation.DIVIDE, OpModulus.class,
			Operation.MODULUS, OperatorPower.class, Operation.POWER);

	/**
	 * The children of a node, which SpEL shows to subclasses only. Widening the values
	 * that an expression reads would not do: elements of lists cannot be widened, and a
	 * wider argument or key is not equal to the number that a list or map holds.
	 */
	private static final Field CHILDREN = children();

	private final Operator original;

	private final Operation operation;

	/** SpEL's operator, on the elements of a list. */
	private final Expression onOthers;

	private ExactOperator(Operator original, Operation operation, SpelNodeImpl... operands) {
		super(original.getStartPosition(), original.getEndPosition(), operands);
		this.original = original;
		this.operation = operation;
		String left = (operands.length == 1) ? "" : "#root[0]";
		this.onOthers = new SpelExpressionParser()
			.parseRaw(left + original.getOperatorName() + "#root[" + (operands.length - 1) + "]");
	}

	/** Replaces SpEL's operators, which overflow, within a node, and returns the node. */
	static SpelNodeImpl within(SpelNodeImpl node) {
		SpelNodeImpl[] children = (SpelNodeImpl[]) Objects.requireNonNull(ReflectionUtils.getField(CHILDREN, node));
		Arrays.setAll(children, (index) -> within(children[index]));
		Operation operation = OPERATIONS.get(node.getClass());
		return (operation != null) ? new ExactOperator((Operator) node, operation, children) : node;
	}

	@Override
	public TypedValue getValueInternal(ExpressionState state) {
		@Nullable Object[] operands = new Object[this.children.length];
		Arrays.setAll(operands, (index) -> this.children[index].getValueInternal(state).getValue());
		Object left = (operands.length == 1) ? Integer.valueOf(0) : operands[0];
		if (left instanceof Number one && operands[operands.length - 1] instanceof Number other
				&& isExact(one, other)) {
			return new TypedValue(ExactArithmetic.apply(this.operation, one, other));
		}
		return new TypedValue(this.onOthers.getValue(state.getEvaluationContext(), Arrays.asList(operands)));
	}

	private static boolean isExact(Number one, Number other) {
		return one instanceof BigDecimal || other instanceof BigDecimal
				|| (ExactArithmetic.isExact(one) && ExactArithmetic.isExact(other));
	}

	@Override
	public String toStringAST() {
		return this.original.toStringAST();
	}

	private static Field children() {
		Field children = Objects.requireNonNull(ReflectionUtils.findField(SpelNodeImpl.class, "children"));
		ReflectionUtils.makeAccessible(children);
		return children;
	}

}
