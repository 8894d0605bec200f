package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The failure analyses of properties whose value is none of the words they know, and the
 * hints that editors take these words from.
 */
class UnknownWordTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withPropertyValues("ratelimit.policies.x.limits=5/1m", "ratelimit.rules[0].paths=/**",
				"ratelimit.rules[0].policies=x");

	@ParameterizedTest
	@MethodSource("choices")
	void listsTheWordsOfYaml(PublishedProperty property) {
		String name = property.name().replace("<name>", "x").replace("[]", "[0]");
		this.context.withPropertyValues("ratelimit.store=memory", name + "=wrong").run((application) -> {
			FailureAnalysis analysis = InvalidConfigurationTests
				.analyze(Objects.requireNonNull(application.getStartupFailure(), "it starts"));
			assertThat(analysis.getDescription()).isEqualTo("The property '" + name
					+ "' has the value 'wrong', but it is one of " + String.join(", ", words(property)) + ".");
			assertThat(analysis.getAction()).startsWith("Correct the property '" + name + "'");
		});
	}

	@ParameterizedTest
	@MethodSource("choices")
	void suggestsTheWordsOfYaml(PublishedProperty property) {
		assertThat(property.hints()).containsExactlyInAnyOrderElementsOf(words(property));
	}

	@ParameterizedTest
	@MethodSource("choices")
	void hasADefaultThatIsAWordOfYaml(PublishedProperty property) {
		assertThat(Stream.concat(Stream.of(""), words(property).stream())).contains(property.defaultValue());
	}

	@Test
	void findsEveryChoice() {
		assertThat(choices()).extracting(PublishedProperty::name)
			.containsExactlyInAnyOrder("ratelimit.mode", "ratelimit.on-store-failure", "ratelimit.http.headers",
					"ratelimit.events.log-denials", "ratelimit.policies.<name>.algorithm",
					"ratelimit.policies.<name>.on-missing-key", "ratelimit.policies.<name>.above-max-cost",
					"ratelimit.policies.<name>.mode", "ratelimit.policies.<name>.on-store-failure",
					"ratelimit.policies.<name>.headers", "ratelimit.rules[].phase");
	}

	@Test
	void namesTheFileThatHasTheWord() {
		Object value = OriginTrackedValue.of("wrong",
				PropertySourceOrigin.get(new MapPropertySource("limits.yml", Map.of()), "mode"));
		this.context
			.withInitializer((application) -> application.getEnvironment()
				.getPropertySources()
				.addFirst(new OriginTrackedMapPropertySource("limits.yml", Map.of("ratelimit.mode", value))))
			.run((application) -> assertThat(
					InvalidConfigurationTests.analyze(Objects.requireNonNull(application.getStartupFailure()))
						.getAction())
				.contains("limits.yml"));
	}

	static Stream<PublishedProperty> choices() {
		return PublishedProperty.all().stream().filter((property) -> !property.constants().isEmpty());
	}

	private static List<String> words(PublishedProperty property) {
		return property.constants()
			.stream()
			.map((constant) -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			// A limit on concurrency is written as such, not by the policy's algorithm.
			.filter((word) -> !word.equals("concurrency"))
			.toList();
	}

}
