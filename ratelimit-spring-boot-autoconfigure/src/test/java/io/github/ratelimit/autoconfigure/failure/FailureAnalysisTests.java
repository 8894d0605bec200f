package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The reports of applications that do not start, as Spring Boot prints them.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	@Test
	void namesThePropertyOfABeanThatIsMissing(CapturedOutput output) {
		start("--ratelimit.policies.web.limits=3/1m", "--ratelimit.policies.web.key=bean:tenant");
		assertThat(output)
			.containsIgnoringNewLines("Description:The property 'ratelimit.policies.web.key' has the value "
					+ "'[bean:tenant]', but there is no KeyResolver bean named 'tenant'.Action:"
					+ "Correct the property 'ratelimit.policies.web.key'.");
	}

	@Test
	void namesTheFilesThatWereReadIfThereIsNoPolicy(CapturedOutput output) {
		start("--spring.config.location=classpath:/policies-of-another-file.yml");
		assertThat(output).contains("there is no policy named 'web'; there are [].")
			.contains(
					"There is no 'ratelimit.policies' in the configuration that was read: [Config resource 'class path "
							+ "resource [policies-of-another-file.yml]'")
			.contains("a file of src/test/resources replaces the file of the same name of src/main/resources");
	}

	@Test
	void namesThePoliciesIfThereIsAnother(CapturedOutput output) {
		start("--ratelimit.policies.wob.limits=3/1m");
		assertThat(output).contains("there is no policy named 'web'; there are [wob].")
			.contains("Correct the annotation on ")
			.doesNotContain("configuration that was read");
	}

	private static void start(String... arguments) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class })
	static class Application {

		@Bean
		Limited limited() {
			return new Limited();
		}

	}

	static class Limited {

		@RateLimited("web")
		void call() {
		}

	}

}
