package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * The check of Spring Boot's version. The script {@code .ci/versions} starts an
 * application on Spring Boot 3.
 */
class SpringBootVersionCheckTests {

	@Test
	void namesTheVersionThatIsTooOld() {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> SpringBootVersionCheck.check("3.5.16"))
			.withMessage("Rate Limit needs Spring Boot 4, and this application has Spring Boot 3.5.16");
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.0.0", "4.1.1", "4.2.0-M1", "10.0.0" })
	void acceptsSpringBoot4AndLater(String version) {
		assertThatNoException().isThrownBy(() -> SpringBootVersionCheck.check(version));
	}

	@Test
	void runsWhenAnApplicationStarts() {
		assertThat(SpringBootVersion.getVersion()).startsWith("4.");
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
			.load(ApplicationContextInitializer.class)).hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
	}

}
