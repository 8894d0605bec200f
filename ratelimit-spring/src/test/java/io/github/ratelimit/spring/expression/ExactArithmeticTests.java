package io.github.ratelimit.spring.expression;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arithmetic in expressions, held to that of {@link BigInteger}.
 */
class ExactArithmeticTests {

	private static final int ROUNDS = 20_000;

	private static final long[] EDGES = { 0, 1, -1, 2, 3, 7, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 29,
			1L << 30, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, 3_037_000_500L };

	private static final Map<String, @Nullable Object> VALUES = values(7);

	@Test
	void isExactOrHasNoValue() {
		int exact = 0;
		for (int seed = 0; seed < ROUNDS; seed++) {
			Random random = new Random(seed);
			Map<String, @Nullable Object> values = values(random);
			Term term = term(random, values, 3);
			Number value = value(term.text, values);
			assertThat(value).as("seed %s: %s of %s", seed, term.text, values)
				.satisfies((known) -> assertThat(known == null ? null : new BigInteger(known.toString()))
					.isEqualTo(term.value));
			exact += (value != null) ? 1 : 0;
		}
		assertThat(exact).isGreaterThan(ROUNDS / 2);
	}

	@ParameterizedTest
	@CsvSource({ "#i + 1, 8, java.lang.Integer", "#i * 1000L, 7000, java.lang.Long",
			"#max * 2, 4294967294, java.lang.Long", "-#min, 2147483648, java.lang.Long",
			"#list[#i - 6], 2, java.lang.Integer", "#text.substring(#i - 5).length() * 2, 6, java.lang.Integer",
			"#i * 2 > 10 ? #i * 2 : 10, 14, java.lang.Integer", "#none ?: #i - 2, 5, java.lang.Integer",
			"#i / 2, 3, java.lang.Integer", "#i / 2.0, 3.5, java.lang.Double", "#i ^ 2, 49, java.lang.Integer",
			"#list.![#this * #root.i][2], 21, java.lang.Integer", "#text + #i, hello7, java.lang.String",
			"(#i + 1).toString().length(), 1, java.lang.Integer", "!(#i + 1 == 8), false, java.lang.Boolean",
			"'#i + 1 between {1, 8} and #i - 7 == 0', true, java.lang.Boolean", "+#i, 7, java.lang.Integer",
			"#list.contains(#i - 6), true, java.lang.Boolean", "#map[#i + 1], eight, java.lang.String" })
	void leavesOrdinaryExpressionsAsTheyAre(String text, String value, Class<?> type) {
		Object known = CallExpression.parseExact(text.replace("#root.i", "7")).evaluate(VALUES::get);
		assertThat(known).hasToString(value).isInstanceOf(type);
	}

	static Stream<String> nodes() {
		return Stream.of("#max * 2", "2147483647 * 2", "#numbers[0] * 2", "#numbers[#i - 7] * 2", "#map['max'] * 2",
				"#map[max] * 2", "{#max * 2, 1}[0]", "{twice: #max * 2}['twice']", "#none ?: #max * 2",
				"#max * 2 > 0 ? #max * 2 : 0", "(#max * 2 < 0 or #max * 2 <= 0) ? 0 : #max * 2",
				"#max * 2 >= 0 and !(#max + 1 == #min) and #max + 1 != #min ? #max * 2 : 0",
				"#max * 2 between {0, #max * 3} ? #max * 2 : 0", "#numbers.![#this * 2][0]",
				"#numbers?.![#this * 2]?.get(0)", "#numbers.?[#this * 2 > 0][0] * 2", "#numbers.^[#this * 2 > 0] * 2",
				"#numbers.$[#this * 2 > 0] * 2", "#numbers.get(#i - 7) * 2", "#text.length() * 2 + #max * 2 - 10",
				"'a'.repeat(#i + 1).length() - 8 + #max * 2", "#max * (#i * 2 instanceof #integer ? 2 : 3)",
				"('7' matches '' + #i) ? #max * 2 : 0", "+#max - -#max", "(#max + 0L) * 2", "#max * 10 / 5",
				"(#max ^ 2) / #max * 2", "#max * 2 % 5000000000L", "#map['max'] != null ? #max * 2 : null",
				"true ? #max * 2 : 1.5f + 1.5");
	}

	@ParameterizedTest
	@MethodSource("nodes")
	void isExactWithinEveryNode(String text) {
		assertThat(CallExpression.parseExact(text).evaluate(VALUES::get)).hasToString("4294967294");
	}

	@Test
	void isProvenForAllNodesOfSpelThatAreAllowed() throws IOException {
		Set<Class<?>> proven = nodes().map(new SpelExpressionParser()::parseRaw)
			.flatMap((expression) -> nodes(expression.getAST()))
			.collect(Collectors.toSet());
		List<Class<?>> all = new ArrayList<>();
		for (Resource file : new PathMatchingResourcePatternResolver()
			.getResources("classpath:org/springframework/expression/spel/ast/*.class")) {
			String name = SpelNodeImpl.class.getPackageName() + '.'
					+ Objects.requireNonNull(file.getFilename()).replace(".class", "");
			Class<?> type = ClassUtils.resolveClassName(name, null);
			if (SpelNodeImpl.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
				all.add(type);
			}
		}
		assertThat(all).filteredOn((type) -> !proven.contains(type))
			.extracting(Class::getSimpleName)
			.containsExactlyInAnyOrder("Assign", "BeanReference", "ConstructorReference", "FunctionReference",
					"Identifier", "OpDec", "OpInc", "QualifiedIdentifier", "TypeReference");
	}

	private static Stream<Class<?>> nodes(SpelNode node) {
		return Stream.concat(Stream.of(node.getClass()),
				IntStream.range(0, node.getChildCount()).mapToObj(node::getChild).flatMap((child) -> nodes(child)));
	}

	private static Map<String, @Nullable Object> values(int i) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>(Map.of("i", i, "max", Integer.MAX_VALUE, "min",
				Integer.MIN_VALUE, "list", List.of(1, 2, 3), "text", "hello", "numbers", List.of(Integer.MAX_VALUE),
				"map", Map.of("max", Integer.MAX_VALUE, 8, "eight"), "integer", Integer.class));
		values.put("none", null);
		return values;
	}

	private static @Nullable Number value(String text, Map<String, @Nullable Object> values) {
		try {
			return (Number) CallExpression.parseExact(text).evaluate(values::get);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static Map<String, @Nullable Object> values(Random random) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("i", (int) number(random));
		values.put("l", number(random));
		values.put("s", (short) number(random));
		values.put("b", (byte) number(random));
		values.put("g", BigInteger.valueOf(number(random)));
		return values;
	}

	private static long number(Random random) {
		return switch (random.nextInt(3)) {
			case 0 -> EDGES[random.nextInt(EDGES.length)];
			case 1 -> random.nextInt(20) - 10;
			default -> random.nextLong() >> random.nextInt(63);
		};
	}

	private static Term term(Random random, Map<String, @Nullable Object> values, int depth) {
		if (depth == 0 || random.nextInt(6) == 0) {
			return leaf(random, values);
		}
		Term left = term(random, values, depth - 1);
		if (random.nextInt(8) == 0) {
			return new Term("(-" + left.text + ")", (left.value != null) ? left.value.negate() : null);
		}
		if (random.nextInt(8) == 0) {
			int exponent = random.nextInt(6) - 1;
			return new Term("(" + left.text + " ^ " + ((exponent < 0) ? "(-1)" : exponent) + ")",
					(left.value != null && exponent >= 0) ? left.value.pow(exponent) : null);
		}
		Term right = term(random, values, depth - 1);
		char operator = "+-*/%".charAt(random.nextInt(5));
		return new Term("(" + left.text + " " + operator + " " + right.text + ")",
				result(operator, left.value, right.value));
	}

	private static Term leaf(Random random, Map<String, @Nullable Object> values) {
		int index = random.nextInt(values.size() + 2);
		if (index < values.size()) {
			String name = List.copyOf(values.keySet()).get(index);
			return new Term("#" + name, new BigInteger(String.valueOf(values.get(name))));
		}
		long literal = Math.abs(random.nextLong() >> (random.nextInt(30) + 32));
		return new Term(literal + ((literal > Integer.MAX_VALUE || index == values.size()) ? "L" : ""),
				BigInteger.valueOf(literal));
	}

	private static @Nullable BigInteger result(char operator, @Nullable BigInteger left, @Nullable BigInteger right) {
		if (left == null || right == null || ((operator == '/' || operator == '%') && right.signum() == 0)) {
			return null;
		}
		return switch (operator) {
			case '+' -> left.add(right);
			case '-' -> left.subtract(right);
			case '*' -> left.multiply(right);
			case '/' -> left.divide(right);
			default -> left.remainder(right);
		};
	}

	/** A text, and what it comes to; nothing where it has no value. */
	private record Term(String text, @Nullable BigInteger value) {
	}

}
