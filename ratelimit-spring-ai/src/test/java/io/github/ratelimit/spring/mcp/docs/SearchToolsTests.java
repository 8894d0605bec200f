package io.github.ratelimit.spring.mcp.docs;

import io.github.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SearchToolsTests {

	@Test
	void limitsTheToolOfTheExample() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.searches.limits=1/1h")
			.run((context) -> {
				SearchTools tools = context.getBean(SearchTools.class);
				assertThat(tools.search("Lem")).isEqualTo("Solaris");
				assertThat(tools.search("Le Guin")).isEqualTo("Solaris");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> tools.search("Lem"));
			});
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SearchTools searchTools() {
			return new SearchTools((author) -> "Solaris");
		}

	}

}
