package io.github.ratelimit.sample.docs.recipes;

import java.util.Map;

import io.github.ratelimit.key.PlanResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;

/**
 * Customers with an API key and a plan.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class ApiKeys {

	private final Map<String, String> customers = Map.of("key-of-acme", "acme", "key-of-initech", "initech");

	private final Map<String, String> contracts = Map.of("principal:initech", "premium");

	@Bean
	PlanResolver contracts() {
		return (policy, key, call) -> this.contracts.get(key);
	}

	@Bean
	@Order(0)
	SecurityFilterChain api(HttpSecurity http) {
		RequestHeaderAuthenticationFilter keys = new RequestHeaderAuthenticationFilter();
		keys.setPrincipalRequestHeader("X-Api-Key");
		keys.setExceptionIfHeaderMissing(false);
		keys.setAuthenticationManager(this::authenticate);
		return http.securityMatcher("/api/**")
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.addFilter(keys)
			.exceptionHandling(
					(failures) -> failures.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)))
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	private Authentication authenticate(Authentication request) {
		String customer = this.customers.get(request.getName());
		if (customer == null) {
			throw new BadCredentialsException("Unknown API key");
		}
		return new PreAuthenticatedAuthenticationToken(customer, "",
				AuthorityUtils.createAuthorityList("ROLE_CUSTOMER"));
	}

}
