package io.github.ratelimit.spring.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.ResolvableType;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.ott.DefaultOneTimeToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Forms that applications read with Spring WebFlux and Spring Security.
 */
@Tag("long")
class ReactiveFormReadingIT extends FormReadingContract {

	@Override
	ConfigurableApplicationContext start(String... properties) {
		return SharedApplications.on(WebApplicationType.REACTIVE, Application.class).properties(properties).run();
	}

	@Override
	List<String> ways() {
		return List.of("/form", "/body", "/constructed", "/bean", "/login", "/ott/generate");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebFluxSecurity
	@Import({ Controller.class, Readings.class })
	static class Application {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.csrf(CsrfSpec::disable)
				.formLogin(Customizer.withDefaults())
				.oneTimeTokenLogin((tokens) -> tokens.tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
				.build();
		}

		@Bean
		ReactiveAuthenticationManager accounts(Readings readings) {
			return (login) -> {
				readings.read(login.getName());
				return Mono.error(new BadCredentialsException("wrong"));
			};
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.empty();
		}

		@Bean
		ReactiveOneTimeTokenService tokens(Readings readings) {
			return new ReactiveOneTimeTokenService() {

				@Override
				public Mono<OneTimeToken> generate(GenerateOneTimeTokenRequest request) {
					readings.read(request.getUsername());
					return Mono.just(new DefaultOneTimeToken("token", request.getUsername(), Instant.MAX));
				}

				@Override
				public Mono<OneTimeToken> consume(OneTimeTokenAuthenticationToken token) {
					return Mono.empty();
				}

			};
		}

	}

	@RestController
	static class Controller {

		private final Readings readings;

		Controller(Readings readings) {
			this.readings = readings;
		}

		@PostMapping("/form")
		Mono<String> form(ServerWebExchange exchange) {
			return exchange.getFormData().map((form) -> this.readings.read(form.get("username")));
		}

		/** Reads the body again. */
		@PostMapping("/body")
		Mono<String> body(ServerHttpRequest request) {
			return new FormHttpMessageReader()
				.readMono(ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, String.class), request,
						Map.of())
				.map((form) -> this.readings.read(form.get("username")));
		}

		@PostMapping("/constructed")
		String constructed(Constructed form) {
			return this.readings.read(form.username());
		}

		@PostMapping("/bean")
		String bean(@ModelAttribute Filled form) {
			return this.readings.read(form.getUsername());
		}

	}

}
