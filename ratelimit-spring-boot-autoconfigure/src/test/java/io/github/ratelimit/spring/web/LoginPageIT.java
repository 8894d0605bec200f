package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A denied form login, which a customizer sends to a page in a browser, on Tomcat and
 * Netty.
 */
class LoginPageIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void redirectsABrowserAlone(WebApplicationType type) {
		assertThat(submit(type, "text/html").header("Location")).endsWith("/login?error");
		Response page = submit(type, "text/html");
		assertThat(page.status()).isEqualTo(303);
		assertThat(page.header("Location")).isEqualTo("/login?denied");
		assertThat(page.header("Cache-Control")).isEqualTo("no-store");
		Response problem = submit(type, "application/json");
		assertThat(problem.status()).isEqualTo(429);
		assertThat(problem.body()).contains("quota-exceeded");
	}

	private static Response submit(WebApplicationType type, String accepted) {
		ConfigurableApplicationContext application = APPLICATIONS.get(type, () -> start(type));
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send("POST", "/login",
				Map.of("Content-Type", "application/x-www-form-urlencoded", "Accept", accepted),
				"username=user&password=guess");
	}

	private static ConfigurableApplicationContext start(WebApplicationType type) {
		Class<?> application = (type == WebApplicationType.SERVLET) ? ServletLoginIT.Application.class
				: WebFluxLoginIT.Application.class;
		return new SpringApplicationBuilder(application, Page.class).web(type)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.login.limits=1/1h",
					"ratelimit.login.account=login")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	static class Page {

		@Bean
		RateLimitResponseCustomizer loginPage() {
			return (refusal, standard,
					request) -> request.getURI().getPath().equals("/login")
							&& request.getHeaders().getAccept().contains(MediaType.TEXT_HTML)
									? ResponseEntity.status(303).location(URI.create("/login?denied")).build()
									: standard;
		}

	}

}
