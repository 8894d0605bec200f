package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class IntegrationPropertiesTests {

	@Test
	void areGroupsSoThatAReloadNamesThoseThatHaveChanged() {
		MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.stomp.policies", "messages");
		assertThat(PropertyGroups.read(environment)).containsOnlyKeys("graphql", "grpc", "stomp")
			.containsEntry("stomp", new StompProperties(List.of("messages")));
	}

}
