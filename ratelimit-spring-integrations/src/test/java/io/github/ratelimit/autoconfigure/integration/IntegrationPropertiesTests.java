package io.github.ratelimit.autoconfigure.integration;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class IntegrationPropertiesTests {

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=2/1m");

	@Test
	void areGroupsSoThatAReloadNamesThoseThatHaveChanged() {
		MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.stomp.policies", "messages");
		assertThat(PropertyGroups.read(environment)).containsOnlyKeys("graphql", "grpc", "stomp")
			.containsEntry("stomp", new StompProperties(List.of("messages")));
	}

	@ParameterizedTest
	@CsvSource({
			"ratelimit.graphql.policies, org.springframework.graphql.server, Spring GraphQL, spring-boot-starter-graphql",
			"ratelimit.graphql.policies[0], org.springframework.graphql.server, Spring GraphQL, spring-boot-starter-graphql",
			"ratelimit.graphql.cost, org.springframework.graphql.server, Spring GraphQL, spring-boot-starter-graphql",
			"ratelimit.grpc.policies, org.springframework.grpc, Spring gRPC, spring-boot-starter-grpc-server",
			"ratelimit.grpc.policies, io.grpc.protobuf, Spring gRPC, spring-boot-starter-grpc-server",
			"ratelimit.stomp.policies, org.springframework.web.socket, Spring WebSocket, spring-boot-starter-websocket" })
	void stopTheStartUpWithoutTheirLibrary(String property, String absent, String library, String starter) {
		WebApplicationContextRunner without = this.application.withClassLoader(new FilteredClassLoader(absent));
		without.run((context) -> assertThat(context).hasNotFailed());
		WebApplicationContextRunner configured = without.withPropertyValues(property + "=calls");
		String subject = property.replace("[0]", "");
		configured.run((context) -> assertRefused(context.getStartupFailure(), subject, library, starter));
		configured.withPropertyValues("ratelimit.checks.ignore=unknown-property:" + subject)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void stopTheStartUpWithoutTheirLibraryIfAnEnvironmentVariableNamesPolicies() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.graphql.server"))
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("RATELIMIT_GRAPHQL_POLICIES", "calls"))))
			.run((context) -> assertRefused(context.getStartupFailure(), "ratelimit.graphql.policies", "Spring GraphQL",
					"spring-boot-starter-graphql"));
	}

	private static void assertRefused(@Nullable Throwable failure, String property, String library, String starter) {
		assertThat(failure).isInstanceOf(InvalidRateLimitConfigurationException.class)
			.hasMessage("The property '" + property + "' has no effect, as " + library + " is not on the class path")
			.extracting("action")
			.asString()
			.startsWith("Add '" + starter + "', or remove the property. To keep it, add 'unknown-property'");
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
