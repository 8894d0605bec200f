package io.github.ratelimit.spring.web;

import java.util.Map;

import jakarta.servlet.Filter;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.AfterAll;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Spring Security before Spring MVC.
 */
class ServletSecurityIT extends SecurityContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.SERVLET)
		.properties(PROPERTIES)
		.properties("server.port=0")
		.run();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	Response send(String method, String path, Map<String, String> headers, String body) {
		int port = CONTEXT.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send(method, path, headers, body);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	@Import(Controller.class)
	static class Application {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		/** Registers the filter as Spring Boot does. */
		@Bean
		FilterRegistrationBean<Filter> registration(@Qualifier("springSecurityFilterChain") Filter chain) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(chain);
			registration.setOrder(-100);
			return registration;
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("alice").password("{noop}secret").roles("USER").build(),
					User.withUsername("bob").password("{noop}secret").roles("USER").build(),
					User.withUsername("carol").password("{noop}secret").roles("ADMIN").build(),
					User.withUsername("eve").password("{noop}secret").roles("ADMIN").build());
		}

	}

	@RestController
	static class Controller {

		@GetMapping({ "/before", "/after", "/mine", "/ruled", "/planned", "/watched" })
		String respond() {
			return "ok";
		}

		@GetMapping("/annotated")
		@RateLimited("listed")
		String annotated() {
			return "ok";
		}

	}

}
