package io.github.ratelimit.gateway;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * A filter that leaves an application the gateway of its own kind, as both are on the
 * class path of these tests.
 */
class OneFlavour implements AutoConfigurationImportFilter, EnvironmentAware {

	private List<String> others = List.of();

	@Override
	public void setEnvironment(Environment environment) {
		this.others = "servlet".equals(environment.getProperty("spring.main.web-application-type"))
				? List.of("org.springframework.cloud.gateway.config.", "org.springframework.cloud.gateway.discovery.")
				: List.of("org.springframework.cloud.gateway.server.mvc.");
	}

	@Override
	public boolean[] match(@Nullable String[] autoConfigurations, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[autoConfigurations.length];
		for (int i = 0; i < matches.length; i++) {
			String name = autoConfigurations[i];
			matches[i] = name != null && this.others.stream().noneMatch(name::startsWith);
		}
		return matches;
	}

}
