package io.github.ratelimit.spring.redis.script;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Rule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptAssemblerTests {

	private static final Pattern VARIABLES = Pattern.compile("^local (?:function )?([\\w, ]+)", Pattern.MULTILINE);

	private static final List<String> RULES = Stream.of(Algorithm.values())
		.map(Algorithm::rule)
		.map(Rule::lua)
		.distinct()
		.toList();

	@Test
	void declaresNoVariableOfAnotherRule() {
		List<String> names = new ArrayList<>(variables(ScriptAssembler.ofSeveral(List.of())));
		RULES.forEach((rule) -> names.addAll(variables(rule.substring(0, rule.indexOf("--READ--")))));
		assertThat(names).contains("spent", "largest", "begun").doesNotHaveDuplicates();
	}

	@Test
	void readsTheStatesOfEveryRule() {
		assertThat(ScriptAssembler.ofOne(RULES.subList(0, 1)).lines())
			.filteredOn((line) -> line.contains("string.find(") && line.contains("tag"))
			.singleElement()
			.satisfies((line) -> assertThat(Algorithm.values()).allSatisfy(
					(algorithm) -> assertThat(line)
						.as("letters that limit.lua accepts, of which '%s' has '%s'", algorithm.id(),
								algorithm.rule().letters())
						.contains(algorithm.rule().letters())));
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
