package io.github.ratelimit.spring.expression;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.spring.expression.ExactOperator.Maker;

import org.springframework.expression.Operation;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.Ternary;

/**
 * A converter of expressions that replaces SpEL's operators, which overflow, with
 * {@linkplain ExactOperator exact operators}. Nodes without arithmetic are unchanged.
 */
final class ExactNodes {

	private static final Map<Class<?>, Operation> ARITHMETIC = Map.of(OpPlus.class, Operation.ADD, OpMinus.class,
			Operation.SUBTRACT, OpMultiply.class, Operation.MULTIPLY, OpDivide.class, Operation.DIVIDE, OpModulus.class,
			Operation.MODULUS, OperatorPower.class, Operation.POWER);

	private static final Map<Class<?>, Maker> MAKERS = Map.ofEntries(Map.entry(OpPlus.class, OpPlus::new),
			Map.entry(OpMinus.class, OpMinus::new), Map.entry(OpMultiply.class, OpMultiply::new),
			Map.entry(OpDivide.class, OpDivide::new), Map.entry(OpModulus.class, OpModulus::new),
			Map.entry(OperatorPower.class, OperatorPower::new), Map.entry(Ternary.class, Ternary::new),
			Map.entry(Elvis.class, Elvis::new), Map.entry(OpAnd.class, OpAnd::new), Map.entry(OpOr.class, OpOr::new),
			Map.entry(OpLT.class, OpLT::new), Map.entry(OpLE.class, OpLE::new), Map.entry(OpGT.class, OpGT::new),
			Map.entry(OpGE.class, OpGE::new), Map.entry(OpEQ.class, OpEQ::new), Map.entry(OpNE.class, OpNE::new),
			Map.entry(OperatorBetween.class, OperatorBetween::new), Map.entry(InlineList.class, InlineList::new),
			Map.entry(CompoundExpression.class, CompoundExpression::new),
			Map.entry(OperatorNot.class, (start, end, children) -> new OperatorNot(start, end, children[0])));

	private ExactNodes() {
	}

	/**
	 * Returns a node with exact operators. Throws IllegalArgumentException if it has
	 * arithmetic within a node that cannot be recreated.
	 */
	static SpelNodeImpl of(SpelNodeImpl node) {
		if (!hasArithmetic(node)) {
			return node;
		}
		SpelNodeImpl[] children = children(node).map(ExactNodes::of).toArray(SpelNodeImpl[]::new);
		Maker maker = maker(node);
		Operation operation = ARITHMETIC.get(node.getClass());
		int start = node.getStartPosition();
		int end = node.getEndPosition();
		return (operation != null) ? new ExactOperator(operation, maker, start, end, children)
				: maker.make(start, end, children);
	}

	private static Maker maker(SpelNodeImpl node) {
		Maker known = MAKERS.get(node.getClass());
		return (known != null) ? known : withOptions(node);
	}

	private static Maker withOptions(SpelNodeImpl node) {
		boolean nullSafe = node.isNullSafe();
		if (node instanceof MethodReference method) {
			return (start, end, children) -> new MethodReference(nullSafe, method.getName(), start, end, children);
		}
		if (node instanceof Projection) {
			return (start, end, children) -> new Projection(nullSafe, start, end, children[0]);
		}
		if (node instanceof Indexer) {
			return (start, end, children) -> new Indexer(nullSafe, start, end, children[0]);
		}
		throw new IllegalArgumentException(
				"arithmetic cannot be exact within '" + node.toStringAST() + "': write it outside");
	}

	private static boolean hasArithmetic(SpelNode node) {
		return ARITHMETIC.containsKey(node.getClass()) || children(node).anyMatch(ExactNodes::hasArithmetic);
	}

	private static Stream<SpelNodeImpl> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj((index) -> (SpelNodeImpl) node.getChild(index));
	}

}
