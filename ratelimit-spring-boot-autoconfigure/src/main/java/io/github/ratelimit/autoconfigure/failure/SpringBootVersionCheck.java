package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A check that runs before any bean is defined, as an earlier Spring Boot would fail
 * later with an error about a missing method. It uses only what Spring Boot 3 has too.
 */
final class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final int REQUIRED = 4;

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		check(SpringBootVersion.getVersion());
	}

	static void check(String version) {
		if (Integer.parseInt(version.substring(0, version.indexOf('.'))) < REQUIRED) {
			throw new InvalidRateLimitConfigurationException(
					"Rate Limit needs Spring Boot 4, and this application has Spring Boot " + version,
					"Upgrade the application to Spring Boot 4, or remove the dependency on Rate Limit.", null);
		}
	}

}
