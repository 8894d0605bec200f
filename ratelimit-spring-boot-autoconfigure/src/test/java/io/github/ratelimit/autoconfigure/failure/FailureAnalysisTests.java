package io.github.ratelimit.autoconfigure.failure;

import java.io.File;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;

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

	@ParameterizedTest
	@ValueSource(classes = { MethodOfFilter.class, ClassOfFilter.class })
	void namesTheServletFilterThatCannotBeLimited(Class<?> filter, CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, Server.class, filter)
			.web(WebApplicationType.SERVLET);
		assertThatException().isThrownBy(() -> application.run("--ratelimit.policies.web.limits=3/1m"));
		assertThat(output).contains("APPLICATION FAILED TO START", filter.getName() + " is a servlet filter",
				"Limit the requests by a rule instead, with their paths in 'ratelimit.rules[].paths'.");
	}

	@Test
	void namesThePropertyThatTurnsOffABeanThatIsInjected(CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, Injected.class)
			.web(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--ratelimit.enabled=false"));
		assertThat(output).contains("Parameter 0 of constructor in " + Injected.class.getName() + " required a bean of "
				+ "type 'io.github.ratelimit.RateLimiter' that does not exist, because 'ratelimit.enabled' is 'false'.")
			.contains("Set 'ratelimit.enabled' to true, or inject an ObjectProvider<RateLimiter>.");
	}

	@Test
	void leavesOtherBeansThatAreMissingToSpringBoot(CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, Other.class)
			.web(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--ratelimit.enabled=false"));
		assertThat(output).contains("could not be found").doesNotContain("'ratelimit.enabled' is 'false'");
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

	@Configuration(proxyBeanMethods = false)
	static class Server {

		@Bean
		TomcatServletWebServerFactory server() {
			TomcatServletWebServerFactory server = new TomcatServletWebServerFactory(0);
			server.setBaseDirectory(new File("target/refused-server"));
			return server;
		}

	}

	static class MethodOfFilter extends OncePerRequestFilter {

		@Override
		@RateLimited("web")
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {
		}

	}

	@RateLimited("web")
	static class ClassOfFilter extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {
		}

	}

	static class Injected {

		Injected(RateLimiter limiter) {
		}

	}

	static class Other {

		Other(Runnable task) {
		}

	}

	static class Limited {

		@RateLimited("web")
		void call() {
		}

	}

}
