package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mistakes that a newcomer makes in YAML and annotations, and the answer to each: the
 * start-up stops, or there is a finding. The tables are text files. The application has
 * the policy {@code web}, and an annotated method whose members are the properties
 * {@code policy} to {@code charge-when}. What takes Java to show has tests of its own.
 */
@Tag("long")
class NewcomerMistakesTests {

	private static final String[] POLICY = { "ratelimit.store=memory", "ratelimit.policies.web.limits=3/1m" };

	private static final Pattern PROPERTY = Pattern.compile("The property '([^']+)'");

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withBean(Api.class)
		.withPropertyValues(POLICY);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
		.withBean(Api.class)
		.withPropertyValues(POLICY);

	@ParameterizedTest
	@CsvFileSource(resources = "/mistakes-that-stop.txt", delimiter = '|', quoteCharacter = '`')
	void stopsTheStartUp(Place place, String yaml, String description, @Nullable String action) {
		Consumer<ApplicationContextAssertProvider<?>> stopped = (context) -> {
			FailureAnalysis analysis = InvalidConfigurationTests
				.analyze(Objects.requireNonNull(context.getStartupFailure(), "it starts"));
			assertThat(analysis.getDescription()).contains(description);
			assertThat(analysis.getAction())
				.contains((action != null) ? action : "Correct the property '" + property(analysis) + "'");
		};
		with(this.servlet, place.of(yaml)).run(stopped::accept);
		if (place == Place.RULE) {
			with(this.reactive, place.of(yaml)).run(stopped::accept);
		}
	}

	private static String property(FailureAnalysis analysis) {
		Matcher description = PROPERTY.matcher(analysis.getDescription());
		assertThat(description.lookingAt()).as(analysis.getDescription()).isTrue();
		return description.group(1);
	}

	@ParameterizedTest
	@CsvFileSource(resources = "/mistakes-that-are-found.txt", delimiter = '|', quoteCharacter = '`')
	void isFound(Place place, String yaml, String kind, String message) {
		onBoth(place.of(yaml),
				(context) -> assertThat(found(context)).filteredOn((finding) -> finding.startsWith(kind))
					.singleElement()
					.asString()
					.contains(message));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/**", "/api/**", "/api/orders/{id}", "/api/orders/{id:[0-9]+}", "/api/orders/7",
			"/*/orders/*", "/{*all}", "/actuator/**", "/static.txt", "/api/orders/**" })
	void doubtsNoRuleThatMayMatch(String path) {
		onBoth("ratelimit: { rules: [ { paths: '" + path + "', policies: web } ] }",
				(context) -> assertThat(found(context)).noneMatch((finding) -> finding.startsWith("unmatched")));
	}

	@Test
	void startsWithARuleThatIsRight() {
		onBoth("""
				ratelimit: { rules: [ { paths: [ /api/**, /b/** ], methods: [ GET, post ], policies: web,
				phase: before-security, when: "#request.header('X') != null" } ] }""",
				(context) -> assertThat(context.getStartupFailure()).isNull());
	}

	@Test
	void readsRulesBelowThePathOfTheServlet() {
		WebApplicationContextRunner below = this.servlet.withPropertyValues("spring.mvc.servlet.path=/served");
		with(below, "ratelimit: { rules: [ { paths: /served/api/**, policies: web } ] }")
			.run((context) -> assertThat(found(context)).noneMatch((finding) -> finding.startsWith("unmatched")));
		with(below, "ratelimit: { rules: [ { paths: /api/**, policies: web } ] }")
			.run((context) -> assertThat(found(context)).anyMatch((finding) -> finding.startsWith("unmatched")));
	}

	private void onBoth(String yaml, Consumer<ApplicationContextAssertProvider<?>> assertions) {
		with(this.servlet, yaml).run(assertions::accept);
		with(this.reactive, yaml).run(assertions::accept);
	}

	private static List<String> found(ApplicationContext context) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.map((finding) -> finding.kind().id() + ": " + finding.message())
			.toList();
	}

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R with(R application, String yaml) {
		return application.withPropertyValues("server.servlet.context-path=/app", "spring.webflux.base-path=/app")
			.withInitializer((context) -> load(yaml)
				.forEach((source) -> context.getEnvironment().getPropertySources().addFirst(source)));
	}

	private static List<PropertySource<?>> load(String yaml) {
		try {
			return new YamlPropertySourceLoader().load("test.yml",
					new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The places of YAML. */
	enum Place {

		RATELIMIT("ratelimit: { %s }", ""),

		POLICY("ratelimit: { policies: { p: { limits: 3/1m, %s } } }",
				"ratelimit:\n  policies:\n    p:\n      limits: 3/1m%s"),

		RULE("ratelimit: { rules: [ { paths: /api/**, policies: web, %s } ] }",
				"ratelimit:\n  rules:\n    - paths: /api/**\n      policies: web%s"),

		LIMIT("ratelimit: { policies: { p: { limits: %s } } }", ""),

		/** Members of the annotation, which are properties here. */
		ANNOTATION("%s", "");

		private final String line;

		private final String block;

		Place(String line, String block) {
			this.line = line;
			this.block = block;
		}

		String of(String yaml) {
			return yaml.startsWith("\\n") ? this.block.formatted(yaml.replace("\\n", "\n")) : this.line.formatted(yaml);
		}

	}

	@RestController
	static class Api {

		@GetMapping("/api/orders/{id}")
		@RateLimited(policy = "${policy:web}", key = "${key:}", cost = "${cost:1}", when = "${when:}",
				maxWait = "${max-wait:}", chargeWhen = "${charge-when:}")
		String order(@PathVariable(required = false) String id, Order order) {
			return id + order.name();
		}

	}

	/**
	 * An argument of the annotated method.
	 *
	 * @param name a component
	 */
	record Order(String name) {

	}

}
