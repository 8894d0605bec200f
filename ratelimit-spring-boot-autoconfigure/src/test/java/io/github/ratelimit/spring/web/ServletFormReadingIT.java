package io.github.ratelimit.spring.web;

import java.time.Instant;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.DefaultOneTimeToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Forms that applications read with Spring MVC and Spring Security.
 */
@Tag("long")
class ServletFormReadingIT extends FormReadingContract {

	@Override
	ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties(properties)
			.run();
	}

	@Override
	List<String> ways() {
		return List.of("/parameter", "/parameters", "/text", "/list", "/map", "/body", "/constructed", "/bean",
				"/login", "/ott/generate");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	@Import({ Controller.class, Readings.class })
	static class Application {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf(CsrfConfigurer::disable)
				.formLogin(Customizer.withDefaults())
				.oneTimeTokenLogin((tokens) -> tokens.tokenGenerationSuccessHandler((request, response, token) -> {
				}))
				.build();
		}

		@Bean
		AuthenticationProvider accounts(Readings readings) {
			return new AuthenticationProvider() {

				@Override
				public Authentication authenticate(Authentication login) {
					readings.read(login.getName());
					throw new BadCredentialsException("wrong");
				}

				@Override
				public boolean supports(Class<?> authentication) {
					return authentication == UsernamePasswordAuthenticationToken.class;
				}

			};
		}

		@Bean
		UserDetailsService users() {
			return (name) -> {
				throw new UsernameNotFoundException(name);
			};
		}

		@Bean
		OneTimeTokenService tokens(Readings readings) {
			return new OneTimeTokenService() {

				@Override
				public OneTimeToken generate(GenerateOneTimeTokenRequest request) {
					readings.read(request.getUsername());
					return new DefaultOneTimeToken("token", request.getUsername(), Instant.MAX);
				}

				@Override
				public @Nullable OneTimeToken consume(OneTimeTokenAuthenticationToken token) {
					throw new UsernameNotFoundException("none");
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

		@PostMapping("/parameter")
		String parameter(HttpServletRequest request) {
			return this.readings.read(request.getParameter("username"));
		}

		@PostMapping("/parameters")
		String parameters(HttpServletRequest request) {
			String[] values = request.getParameterValues("username");
			return this.readings.read((values != null) ? List.of(values) : null);
		}

		@PostMapping("/text")
		String text(@RequestParam(required = false) @Nullable String username) {
			return this.readings.read(username);
		}

		@PostMapping("/list")
		String list(@RequestParam(required = false) @Nullable List<@Nullable String> username) {
			return this.readings.read(username);
		}

		@PostMapping("/map")
		String map(@RequestParam MultiValueMap<String, @Nullable String> parameters) {
			return this.readings.read(parameters.get("username"));
		}

		@PostMapping("/body")
		String body(@RequestBody MultiValueMap<String, @Nullable String> form) {
			return this.readings.read(form.get("username"));
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
