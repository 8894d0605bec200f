package io.github.ratelimit.spring.web;

import jakarta.servlet.Filter;

import org.junit.jupiter.api.Tag;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Spring Security before Spring MVC.
 */
@Tag("long")
class ServletSecurityIT extends SecurityContract {

	ServletSecurityIT() {
		super(WebApplicationType.SERVLET, Application.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	@Import(SecurityContract.Controller.class)
	static class Application {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/refused").denyAll().anyRequest().authenticated())
				.exceptionHandling((exceptions) -> exceptions.accessDeniedPage("/denied"))
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
			return new InMemoryUserDetailsManager(USERS);
		}

	}

}
