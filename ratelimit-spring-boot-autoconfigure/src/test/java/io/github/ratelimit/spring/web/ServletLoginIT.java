package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import jakarta.servlet.Filter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Wrong passwords before Spring MVC.
 */
@Tag("long")
class ServletLoginIT extends LoginContract {

	@Override
	ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties(properties)
			.run();
	}

	@Test
	void deniesAnAddressThatGuessesOneTimeTokens() {
		List<Response> responses = IntStream.rangeClosed(0, 2 * LIMIT)
			.mapToObj(
					(guess) -> client(Store.MEMORY).send("POST", "/login/ott",
							Map.of("Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For",
									"192.0.2.77"),
							"token=guess-" + guess))
			.toList();
		assertThat(responses.subList(0, 2 * LIMIT))
			.allSatisfy((response) -> assertThat(response.header("Location")).endsWith("/login?error"));
		assertThat(responses.get(2 * LIMIT).status()).isEqualTo(429);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	@Import({ Controller.class, LoginDecisions.class, CheckedPasswords.class, LoginContract.RecordedStore.class })
	static class Application {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.csrf(CsrfConfigurer::disable)
				.httpBasic(Customizer.withDefaults())
				.formLogin(Customizer.withDefaults())
				.oneTimeTokenLogin((tokens) -> tokens.tokenGenerationSuccessHandler((request, response, token) -> {
				}))
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
			return (name) -> {
				if (name.startsWith("broken")) {
					throw new IllegalStateException("no users to be had");
				}
				if (!name.startsWith("user")) {
					throw new UsernameNotFoundException(name);
				}
				return User.withUsername(name).password(name).roles("USER").build();
			};
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/mine")
		String respond() {
			return "ok";
		}

	}

}
