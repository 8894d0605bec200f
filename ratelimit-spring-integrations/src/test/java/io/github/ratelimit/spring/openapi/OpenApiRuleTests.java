package io.github.ratelimit.spring.openapi;

import java.util.List;

import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.ReservedPaths;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springdoc.core.models.GroupedOpenApi;

import org.springframework.web.util.pattern.PathPatternParser;

import static io.github.ratelimit.spring.openapi.OpenApiApplication.read;
import static org.assertj.core.api.Assertions.assertThat;

/** Operations whose paths are limited by rules. */
@Tag("long")
class OpenApiRuleTests {

	private static final String[] RULES = { "ratelimit.rules[0].paths=/quotes/*", "ratelimit.rules[0].policies=writes",
			"ratelimit.rules[1].paths=/quotes", "ratelimit.rules[1].methods=GET",
			"ratelimit.rules[1].policies=quotes, writes", "ratelimit.rules[2].paths=/orders",
			"ratelimit.rules[2].policies=quotes", "ratelimit.rules[2].when=#principal != null",
			"ratelimit.rules[3].paths=/**", "ratelimit.rules[3].methods=PUT", "ratelimit.rules[3].policies=writes",
			"ratelimit.rules[3].when=#principal != null" };

	@Test
	void documentsRulesThatMatchThePath() {
		read((document) -> {
			assertThat(document.policies("/quotes/{id}", "get")).containsExactly("writes");
			assertThat(document.keys("/quotes/{id}", "get", "responses")).containsExactly("200", "429", "503");
		}, RULES);
	}

	@Test
	void documentsComputedCostsOfRules() {
		read((document) -> assertThat(document.keys("/quotes/{id}", "get", "responses"))
			.containsExactlyInAnyOrder("200", "422", "429"), "ratelimit.rules[0].paths=/quotes/*",
				"ratelimit.rules[0].policies=quotes", "ratelimit.rules[0].cost=#request.size + 1");
	}

	@Test
	void documentsRulesOfAMethodNextToAnnotations() {
		read((document) -> {
			assertThat(document.policies("/quotes", "get")).containsExactly("quotes", "writes");
			assertThat(document.policies("/quotes", "post")).containsExactly("Quotes.create");
		}, RULES);
	}

	@Test
	void documentsRulesWhateverTheirCondition() {
		read((document) -> {
			assertThat(document.policies("/orders", "head")).containsExactly("writes", "quotes");
			assertThat(document.policies("/orders/{id}", "delete")).containsExactly("writes");
		}, RULES);
	}

	@Test
	void leavesReservedPathsToRulesThatNameThem() {
		OpenApiApplication.runner()
			.withPropertyValues("ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=quotes")
			.run((context) -> {
				PathPatternParser patterns = PathPatternParser.defaultInstance;
				RateLimitRules rules = new RateLimitRules(context.getBean(RateLimitRules.class).all(),
						(server) -> new ReservedPaths(List.of(patterns.parse("/manage/**")),
								List.of(patterns.parse("/manage/**"))));
				Operation reserved = new Operation();
				Operation limited = new Operation();
				new RateLimitRuleCustomizer(rules, context.getBean(OperationLimits.class), "")
					.customise(new OpenAPI().path("/manage/health", new PathItem().get(reserved))
						.path("/quotes", new PathItem().get(limited)));
				assertThat(reserved.getResponses()).isNull();
				assertThat(limited.getResponses()).containsOnlyKeys("429");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/app", "/app/" })
	void matchesPathsWithThePathOfTheServlet(String servlet) {
		read(OpenApiApplication.runner(), "/app/v3/api-docs", (document) -> {
			assertThat(document.policies("/quotes/{id}", "get")).containsExactly("writes");
			assertThat(document.policies("/quotes", "get")).containsExactly("quotes");
		}, "spring.mvc.servlet.path=" + servlet, "ratelimit.rules[0].paths=/app/quotes/*",
				"ratelimit.rules[0].policies=writes", "ratelimit.rules[1].paths=/quotes",
				"ratelimit.rules[1].policies=writes");
	}

	@Test
	void documentsGroupsToo() {
		GroupedOpenApi group = GroupedOpenApi.builder().group("some").pathsToMatch("/quotes/**").build();
		read(OpenApiApplication.runner().withBean(GroupedOpenApi.class, () -> group), "/v3/api-docs/some",
				(document) -> {
					assertThat(document.policies("/quotes", "get")).containsExactly("quotes", "writes");
					assertThat(document.policies("/quotes/{id}", "get")).containsExactly("writes");
				}, RULES);
	}

}
