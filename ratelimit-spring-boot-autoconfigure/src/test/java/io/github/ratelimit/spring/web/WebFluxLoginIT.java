package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.Tag;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Wrong passwords before WebFlux.
 */
@Tag("long")
class WebFluxLoginIT extends LoginContract {

	@Override
	ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class, NettyIT.Server.class).web(WebApplicationType.REACTIVE)
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebFluxSecurity
	@Import({ ServletLoginIT.Controller.class, LoginDecisions.class, CheckedPasswords.class,
			LoginContract.RecordedStore.class })
	static class Application {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.csrf(CsrfSpec::disable)
				.httpBasic(Customizer.withDefaults())
				.formLogin(Customizer.withDefaults())
				.oneTimeTokenLogin((tokens) -> tokens.tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
				.build();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> {
				if (name.startsWith("broken")) {
					return Mono.error(new InternalAuthenticationServiceException("no users to be had"));
				}
				return name.startsWith("user") ? Mono.just(User.withUsername(name).password(name).roles("USER").build())
						: Mono.empty();
			};
		}

	}

}
