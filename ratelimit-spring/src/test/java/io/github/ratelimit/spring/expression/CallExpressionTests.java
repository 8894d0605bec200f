package io.github.ratelimit.spring.expression;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Operations that expressions, and callers through them, cannot execute.
 */
class CallExpressionTests {

	private static final Map<String, @Nullable Object> ARGUMENTS = Map.of("a", new Argument(), "text", "x", "list",
			List.of("x"), "map", new HashMap<>(Map.of("k", "v")));

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime).getRuntime()", "#a + T(System).exit(1)",
			"#list.?[T(System) != null]", "#list.![T(System)]", "#list[T(System).nanoTime()]", "{T(System)}",
			"{k: T(System)}", "#a.call(T(System))", "#a ?: T(System)", "#a instanceof T(String)",
			"#a != null ? T(System) : 1", "-T(System)" })
	void usesNoTypes(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallExpression.parse(text))
			.withMessageContaining("an expression here cannot use types");
	}

	@ParameterizedTest
	@ValueSource(strings = { "new java.io.File('/')", "#a.call(new String())", "new int[1000000000]",
			"#list.?[new String() == #this]", "{new Object()}" })
	void usesNoConstructors(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallExpression.parse(text))
			.withMessageContaining("an expression here cannot use constructors");
	}

	@ParameterizedTest
	@ValueSource(strings = { "@bean", "@bean.call()", "&factory", "#a.call(@bean)", "#list.![@bean]", "{@bean}" })
	void usesNoBeans(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallExpression.parse(text))
			.withMessageContaining("an expression here cannot use beans");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#a = 1", "#a.value = 1", "#a.value++", "--#a.value", "#map['k'] = 'w'",
			"#list.?[#this = 1]", "#f()", "#a.call(#f(1))" })
	void usesNoAssignmentsOrFunctions(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallExpression.parse(text))
			.withMessageMatching(".*cannot use (assignments|functions).*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#a.class", "#a.getClass()", "#text.class.forName('java.lang.Runtime')", "#a['class']",
			"#a.kind.classLoader", "#a.kind.forName('java.lang.Runtime')", "#a.kind.getMethods()",
			"#a.loader.loadClass('x')", "#text.bytes.class", "#a.shout('x')", "#a.hidden", "#a.wait()", "#a.notify()" })
	void reachesNothingBehindAnArgument(String text) {
		CallExpression expression = CallExpression.parse(text);
		assertThatIllegalArgumentException().isThrownBy(() -> expression.evaluate(ARGUMENTS::get));
	}

	@Test
	void readsWhatAnArgumentShows() {
		assertThat(CallExpression.parse("#a.value + #a.call(2) + #list[0] + #map['k'] + #text.length()")
			.evaluate(ARGUMENTS::get)).isEqualTo("3xv1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime).getRuntime().exec('x')", "#{T(java.lang.System).exit(1)}",
			"${user.home}", "#{systemProperties}", "new java.io.File('/')", "@bean", "#a", "'+#a+'", "{}",
			"' + T(System) + '" })
	void takesWhatACallerSaysAsText(String said) {
		assertThat(CallExpression.parse("#text").evaluate(Map.of("text", said)::get)).isEqualTo(said);
		assertThat(CallExpression.parse("'<' + #text + '>'").evaluate(Map.of("text", said)::get))
			.isEqualTo("<" + said + ">");
		assertThat(CallExpression.parse("#text.trim()").evaluate(Map.of("text", said)::get)).isEqualTo(said);
	}

	/** An argument with more than it shows. */
	public static final class Argument {

		public int getValue() {
			return 1;
		}

		public int call(int value) {
			return value;
		}

		public Class<?> getKind() {
			return Runtime.class;
		}

		public ClassLoader getLoader() {
			return Argument.class.getClassLoader();
		}

		public static String shout(String text) {
			return text;
		}

		String getHidden() {
			return "hidden";
		}

	}

}
