package io.github.ratelimit.sample.docs.recipes;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.TypedName;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A login by JSON that is limited for each account, and open to everyone.
 */
@Profile("docs")
@RestController
public class JsonLogin {

	@PostMapping("/login")
	@RateLimited(policy = "login-account", chargeOn = ServletException.class)
	void login(@RequestBody Credentials credentials, HttpServletRequest request) throws ServletException {
		request.logout(); // so that the login begins a new session
		request.login(credentials.email(), credentials.password());
	}

	@ExceptionHandler(ServletException.class)
	@ResponseStatus(HttpStatus.UNAUTHORIZED)
	void refuse() {
	}

	record Credentials(String email, String password) {

		public String account() {
			return TypedName.of(String.valueOf(this.email));
		}

	}

	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	static class Security {

		@Bean
		@Order(0)
		SecurityFilterChain login(HttpSecurity http) {
			return http.securityMatcher("/login")
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

	}

}
