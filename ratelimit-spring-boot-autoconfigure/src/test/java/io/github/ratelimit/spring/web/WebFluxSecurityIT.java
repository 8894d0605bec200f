package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.Tag;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Spring Security before WebFlux.
 */
@Tag("long")
class WebFluxSecurityIT extends SecurityContract {

	WebFluxSecurityIT() {
		super(WebApplicationType.REACTIVE, Application.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebFluxSecurity
	@Import(SecurityContract.Controller.class)
	static class Application {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http
				.authorizeExchange(
						(exchanges) -> exchanges.pathMatchers("/refused").denyAll().anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(USERS);
		}

	}

}
