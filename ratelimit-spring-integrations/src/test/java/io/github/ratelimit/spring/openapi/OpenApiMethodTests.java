package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.autoconfigure.integration.RateLimitOpenApiAutoConfiguration;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.responses.ApiResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springdoc.core.customizers.GlobalOperationCustomizer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.method.HandlerMethod;

import static io.github.ratelimit.spring.openapi.OpenApiApplication.read;
import static org.assertj.core.api.Assertions.assertThat;

/** Operations whose methods are limited by annotations. */
@Tag("long")
class OpenApiMethodTests {

	@Test
	void documentsLimitedMethods() {
		read((document) -> {
			assertThat(document.keys("/quotes", "get", "responses")).containsExactly("200", "429");
			assertThat(document.keys("/quotes", "get", "responses", "429", "headers"))
				.containsExactlyInAnyOrder("Retry-After", "RateLimit", "RateLimit-Policy");
			assertThat(document.keys("/quotes", "get", "responses", "200", "headers"))
				.containsExactlyInAnyOrder("RateLimit", "RateLimit-Policy");
			assertThat(document.keys("/quotes", "get", "responses", "429", "content"))
				.containsExactly("application/problem+json");
			assertThat(document.part("/quotes", "get", "x-ratelimit"))
				.isEqualTo(List.of(Map.of("policy", "quotes", "limits", List.of("100/1m", "1000/1d"))));
		});
	}

	@Test
	void documentsNoParameterForADecision() {
		read((document) -> assertThat(document.keys("/quotes", "get")).doesNotContain("parameters", "requestBody"));
	}

	@Test
	void documentsThePropertiesOfProblems() {
		read((document) -> {
			Object schema = document.part("/quotes", "get", "responses", "429", "content", "application/problem+json",
					"schema", "$ref");
			assertThat(schema).isEqualTo("#/components/schemas/RateLimitProblem");
			Map<String, Map<String, Object>> properties = document.json()
				.read("$.components.schemas.RateLimitProblem.properties");
			assertThat(properties).containsOnlyKeys("type", "title", "status", "detail", "instance",
					"violated-policies");
			assertThat(properties.get("violated-policies")).containsEntry("type", "array")
				.containsEntry("items", Map.of("type", "string"));
		});
	}

	@Test
	void documentsLimitsThatAnnotationsDefine() {
		read((document) -> assertThat(document.part("/quotes", "post", "x-ratelimit"))
			.isEqualTo(List.of(Map.of("policy", "Quotes.create", "limits", List.of("5/1m")))));
	}

	@Test
	void documentsLimitedClassesAndFailuresOfTheStore() {
		read((document) -> {
			assertThat(document.keys("/orders/{id}", "delete", "responses")).containsExactly("200", "429", "503");
			assertThat(document.keys("/orders/{id}", "delete", "responses", "503", "headers"))
				.containsExactly("Retry-After");
			assertThat(document.keys("/orders/{id}", "delete", "responses", "503", "content"))
				.containsExactly("application/problem+json");
		});
	}

	@Test
	void documentsComputedCosts() {
		read((document) -> {
			assertThat(document.keys("/batches", "post", "responses")).containsExactlyInAnyOrder("200", "422", "429");
			assertThat(document.keys("/batches", "post", "responses", "422", "content"))
				.containsExactly("application/problem+json");
		});
	}

	@Test
	void documentsRefusedCallersAndHidesHiddenPolicies() {
		read((document) -> {
			assertThat(document.keys("/batches", "get", "responses")).containsExactlyInAnyOrder("200", "403", "429");
			assertThat(document.keys("/batches", "get", "responses", "429", "headers")).containsExactly("Retry-After");
			assertThat(document.keys("/batches", "get", "responses", "200")).doesNotContain("headers");
			assertThat(document.keys("/batches", "get")).doesNotContain("x-ratelimit");
		});
	}

	@Test
	void leavesOtherOperationsAsTheyAre() {
		read((document) -> {
			assertThat(document.keys("/quotes/{id}", "get")).doesNotContain("x-ratelimit");
			assertThat(document.keys("/quotes/{id}", "get", "responses")).containsExactly("200");
			assertThat(document.keys("/quotes/{id}", "get", "responses", "200")).doesNotContain("headers");
		});
	}

	@Test
	void overwritesNothingThatTheApplicationDocuments() {
		read((document) -> {
			Map<String, Object> denial = document.object("/orders", "get", "responses", "429");
			assertThat(denial).containsEntry("description", "Slow down");
			assertThat(document.keys("/orders", "get", "responses", "429", "content")).containsExactly("*/*");
			assertThat(document.keys("/orders", "get", "responses", "429", "headers"))
				.containsExactlyInAnyOrder("retry-after", "RateLimit", "RateLimit-Policy");
			assertThat(document.part("/orders", "get", "responses", "429", "headers", "retry-after", "description"))
				.isEqualTo("Own");
			assertThat(document.keys("/orders", "get", "responses", "503")).containsExactlyInAnyOrder("description",
					"content");
			assertThat(document.part("/orders", "get", "responses", "503", "description")).isEqualTo("Closed");
			assertThat(document.part("/orders", "get", "x-ratelimit")).isEqualTo(Map.of("own", "yes"));
		}, "ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=quotes");
	}

	@Test
	void leavesReferencesToSharedResponsesAsTheyAre() {
		read(OpenApiApplication.runner().withBean(SharedDenial.class), "/v3/api-docs",
				(document) -> assertThat(document.part("/quotes/{id}", "get", "responses", "429"))
					.isEqualTo(Map.of("$ref", "#/components/responses/Denied")),
				"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=quotes");
	}

	@ParameterizedTest
	@CsvSource({ "none, ''", "draft-6, RateLimit-Limit RateLimit-Policy RateLimit-Remaining RateLimit-Reset" })
	void documentsTheConfiguredHeaders(String dialect, String headers) {
		read((document) -> {
			Map<String, Object> success = document.object("/quotes", "get", "responses", "200");
			assertThat(((Map<?, ?>) success.getOrDefault("headers", Map.of())).keySet())
				.hasToString(List.of(headers.split(" ")).stream().sorted().toList().toString());
			assertThat(document.keys("/quotes", "get", "responses", "429", "headers")).contains("Retry-After")
				.hasSize(headers.isEmpty() ? 1 : headers.split(" ").length + 1);
		}, "ratelimit.http.headers=" + dialect);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.policies.quotes.mode=shadow", "ratelimit.policies.quotes.enforce=0%",
			"ratelimit.mode=shadow" })
	void leavesPoliciesOutThatDenyNothing(String property) {
		read((document) -> assertThat(document.keys("/quotes", "get", "responses")).containsExactly("200"), property);
	}

	@Test
	void documentsPoliciesThatDenySomeCallers() {
		read((document) -> assertThat(document.policies("/quotes", "get")).containsExactly("quotes"),
				"ratelimit.policies.quotes.enforce=1%");
	}

	@Test
	void documentsPoliciesThatDenyCallersWithAPlan() {
		read((document) -> assertThat(document.policies("/quotes", "get")).containsExactly("quotes"),
				"ratelimit.policies.quotes.mode=shadow", "ratelimit.policies.quotes.plan=header:X-Plan",
				"ratelimit.policies.quotes.plans.free.limits=10/1m, 100/1d",
				"ratelimit.policies.quotes.plans.free.mode=enforce");
	}

	@Test
	void documentsTheCeilingOfPermitsThatCallsTell() {
		read((document) -> {
			assertThat(document.part("/quotes", "get", "x-ratelimit"))
				.isEqualTo(List.of(Map.of("policy", "quotes", "limits", List.of("10/1m"), "maxPermits", 1000)));
			assertThat(document.keys("/quotes", "get", "responses")).contains("422");
		}, "ratelimit.policies.quotes.limits=10/1m", "ratelimit.policies.quotes.permits=claim:rpm",
				"ratelimit.policies.quotes.max-permits=1000");
	}

	@Test
	void documentsTheSameInOpenApi30() {
		read((document) -> {
			assertThat(document.json().<String>read("$.openapi")).startsWith("3.0");
			assertThat(document.policies("/quotes", "get")).containsExactly("quotes");
			assertThat(document.json().<String>read("$.components.schemas.RateLimitProblem.properties.status.type"))
				.isEqualTo("integer");
		}, "springdoc.api-docs.version=openapi-3-0");
	}

	@Test
	void documentsNothingWhereTurnedOff() {
		read((document) -> assertThat(document.keys("/quotes", "get", "responses")).containsExactly("200"),
				"ratelimit.enabled=false");
	}

	@Test
	void startsWithoutSpringdoc() {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitOpenApiAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springdoc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OperationLimits.class));
	}

	/** A customizer of the application that shares a response. */
	static final class SharedDenial implements GlobalOperationCustomizer {

		@Override
		public Operation customize(Operation operation, HandlerMethod handlerMethod) {
			operation.getResponses().addApiResponse("429", new ApiResponse().$ref("#/components/responses/Denied"));
			return operation;
		}

	}

}
