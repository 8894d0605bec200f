package io.github.ratelimit.sample.docs.recipes;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A login that is open to everyone.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class LoginSecurity {

	@Bean
	@Order(0)
	SecurityFilterChain login(HttpSecurity http) {
		return http.securityMatcher("/login")
			.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.csrf((csrf) -> csrf.disable())
			.build();
	}

}
