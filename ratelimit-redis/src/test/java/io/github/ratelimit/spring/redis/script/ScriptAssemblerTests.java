package io.github.ratelimit.spring.redis.script;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptAssemblerTests {

	private static final Pattern VARIABLES = Pattern.compile("^local (?:function )?([\\w, ]+)", Pattern.MULTILINE);

	private static final List<String> RULES = Stream.of(Algorithm.values())
		.map((algorithm) -> Limit.of(algorithm, Rate.parse("1/1s")).formula())
		.map(Formula::lua)
		.distinct()
		.toList();

	@Test
	void declaresNoVariableOfAnotherRule() {
		List<String> names = new ArrayList<>(variables(ScriptAssembler.ofSeveral(List.of())));
		RULES.forEach((rule) -> names.addAll(variables(rule.substring(0, rule.indexOf("--READ--")))));
		assertThat(names).contains("spent", "largest", "begun").doesNotHaveDuplicates();
	}

	@Test
	void leavesNoPlaceholder() {
		assertThat(ScriptAssembler.ofSeveral(RULES)).doesNotContainPattern("--[A-Z ]+--");
		List<String> few = RULES.subList(0, ScriptAssembler.FEW);
		assertThat(ScriptAssembler.ofOne(few)).doesNotContainPattern("--[A-Z ]+--");
		assertThat(ScriptAssembler.ofOneByOne(few)).doesNotContainPattern("--[A-Z ]+--");
	}

	private static List<String> variables(String text) {
		return VARIABLES.matcher(text)
			.results()
			.flatMap((found) -> Stream.of(found.group(1).strip().split(",\\s*")))
			.toList();
	}

}
