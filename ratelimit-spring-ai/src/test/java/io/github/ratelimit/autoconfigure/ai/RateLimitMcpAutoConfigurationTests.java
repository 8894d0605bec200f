package io.github.ratelimit.autoconfigure.ai;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.mcp.RateLimitedTools;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class RateLimitMcpAutoConfigurationTests {

	private static final SyncToolSpecification TOOL = new SyncToolSpecification(
			Tool.builder("search", Map.of("type", "object")).build(),
			(exchange, request) -> CallToolResult.builder().build());

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=2/1m");

	@Test
	void limitsToolsInLists() {
		this.application.run((context) -> {
			assertThat((List<?>) context.getBean("tools", List.class)).hasSize(1).isNotEqualTo(List.of(TOOL));
			assertThat((List<?>) context.getBean("others", List.class)).isSameAs(Application.OTHERS);
		});
	}

	@Test
	void limitsNothingWhereTurnedOff() {
		this.application.withPropertyValues("ratelimit.enabled=false").run((context) -> {
			assertThat((List<?>) context.getBean("tools", List.class)).isEqualTo(List.of(TOOL));
			assertThat(context).doesNotHaveBean(RateLimitedTools.class);
		});
	}

	@Test
	void stopsTheStartUpByAMistake() {
		this.application.withPropertyValues("ratelimit.mcp.policies=cals")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(InvalidRateLimitConfigurationException.class.getName())
				.hasStackTraceContaining("'ratelimit.mcp.policies' has the value '[cals]'"));
		this.application.withPropertyValues("ratelimit.mcp.policies=calls", "ratelimit.policies.calls.key=form:id")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'form:id' is a key of rules alone"));
		this.application.withPropertyValues("ratelimit.mcp.polices=calls")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The property 'ratelimit.mcp.polices' does not exist"));
	}

	@Test
	void stopsTheStartUpWithoutAServer() {
		ApplicationContextRunner without = new ApplicationContextRunner().withUserConfiguration(Chat.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=2/1m",
					"spring.ai.mcp.server.annotation-scanner.enabled=false")
			.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol"));
		without.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitedTools.class));
		without.withPropertyValues("ratelimit.mcp.policies=calls")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidRateLimitConfigurationException.class)
				.hasMessage(
						"The property 'ratelimit.mcp.policies' has no effect, as the MCP server of Spring AI is not "
								+ "on the class path"));
	}

	@Test
	void takesThePoliciesOfThePropertyForUsed() {
		this.application.withPropertyValues("ratelimit.policies.other.limits=2/1m", "ratelimit.mcp.policies=calls")
			.run((context) -> assertThat(context.getBean(Findings.class).all())
				.filteredOn((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
				.extracting(Finding::subject)
				.containsExactly("other"));
	}

	@Test
	void chargesThePoliciesOfAReload() {
		this.application.withPropertyValues("ratelimit.mcp.policies=calls", "ratelimit.reload-interval=50ms")
			.run((context) -> {
				reload(context, "second", "ratelimit.policies.second.limits=1/1h");
				Awaitility.await().untilAsserted(() -> assertThat(charged(context)).containsExactly("second"));
				reload(context, "nothing");
				Awaitility.await()
					.untilAsserted(() -> assertThat(context.getBean(LastReload.class).get()).extracting("problem")
						.asString()
						.contains("'ratelimit.mcp.policies' has the value '[nothing]'"));
				reload(context, "");
				Awaitility.await().untilAsserted(() -> assertThat(charged(context)).isEmpty());
				assertThat(context.getBean(LastReload.class).get()).extracting("needRestart").isEqualTo(List.of());
			});
	}

	private static void reload(ConfigurableApplicationContext context, String policies, String... more) {
		TestPropertyValues.of("ratelimit.mcp.policies=" + policies).and(more).applyTo(context);
	}

	private static Set<String> charged(ConfigurableApplicationContext context) {
		return context.getBean("io.github.ratelimit.mcpPolicies", PolicyUse.class).byPolicy().keySet();
	}

	@Test
	void isAGroupSoThatAReloadNamesWhatHasChanged() {
		MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.mcp.policies", "calls");
		assertThat(PropertyGroups.read(environment)).containsEntry("mcp", new McpProperties(List.of("calls")));
	}

	@Test
	void letsANativeImageReadThePropertiesAndFindTheLibrary() {
		ImportRuntimeHints imported = AnnotatedElementUtils.getMergedAnnotation(RateLimitAutoConfiguration.class,
				ImportRuntimeHints.class);
		assertThat(imported).isNotNull();
		RuntimeHints hints = new RuntimeHints();
		for (Class<? extends RuntimeHintsRegistrar> registrar : imported.value()) {
			BeanUtils.instantiateClass(registrar).registerHints(hints, null);
		}
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(McpProperties.class.getDeclaredConstructors()[0])).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(McpServerFeatures.class)).accepts(hints);
	}

	/** An application with all that is on the class path, and tools. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<String> OTHERS = List.of("a", "b");

		@Bean
		List<SyncToolSpecification> tools() {
			return List.of(TOOL);
		}

		@Bean
		List<String> others() {
			return OTHERS;
		}

	}

	/** An application without tools. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Chat {

	}

}
