package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;

import org.springframework.expression.Operation;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/**
 * An arithmetic operator that is exact on whole and decimal numbers. On other operands,
 * such as texts and floating point, it behaves as SpEL's.
 */
final class ExactOperator extends SpelNodeImpl {

	private final Operation operation;

	private final Maker original;

	ExactOperator(Operation operation, Maker original, int start, int end, SpelNodeImpl... operands) {
		super(start, end, operands);
		this.operation = operation;
		this.original = original;
	}

	@Override
	public TypedValue getValueInternal(ExpressionState state) {
		TypedValue left = this.children[0].getValueInternal(state);
		if (this.children.length == 1) {
			return unary(left, state);
		}
		TypedValue right = this.children[1].getValueInternal(state);
		if (left.getValue() instanceof Number one && right.getValue() instanceof Number other && isExact(one, other)) {
			state.trackOperation();
			return new TypedValue(ExactArithmetic.apply(this.operation, one, other));
		}
		return original(state, new Known(left), new Known(right));
	}

	private TypedValue unary(TypedValue operand, ExpressionState state) {
		if (operand.getValue() instanceof Number number && ExactArithmetic.isExact(number)) {
			state.trackOperation();
			return new TypedValue(ExactArithmetic.apply(this.operation, 0, number));
		}
		return original(state, new Known(operand));
	}

	private TypedValue original(ExpressionState state, SpelNodeImpl... operands) {
		return this.original.make(getStartPosition(), getEndPosition(), operands).getValueInternal(state);
	}

	private static boolean isExact(Number one, Number other) {
		return one instanceof BigDecimal || other instanceof BigDecimal
				|| (ExactArithmetic.isExact(one) && ExactArithmetic.isExact(other));
	}

	@Override
	public String toStringAST() {
		return this.original.make(getStartPosition(), getEndPosition(), this.children).toStringAST();
	}

	/**
	 * The constructor of a node.
	 */
	interface Maker {

		/** Creates a node. */
		SpelNodeImpl make(int start, int end, SpelNodeImpl... children);

	}

	/**
	 * An operand whose value is known.
	 */
	private static final class Known extends SpelNodeImpl {

		private final TypedValue value;

		Known(TypedValue value) {
			super(0, 0);
			this.value = value;
		}

		@Override
		public TypedValue getValueInternal(ExpressionState state) {
			return this.value;
		}

		@Override
		public String toStringAST() {
			return String.valueOf(this.value.getValue());
		}

	}

}
