package io.github.ratelimit.sample;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import jakarta.servlet.DispatcherType;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.spring.key.KeyResolvers;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationProvider;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;

/**
 * Who may call what: programs with an API key, users who log in, and everyone.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

	/** Customers by API key; yours are in a database, by the key's hash. */
	private static final Map<String, String> CUSTOMERS = Map.of("key-of-acme", "acme", "key-of-initech", "initech");

	private static final HttpStatusEntryPoint UNAUTHORIZED = new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED);

	/** Operators log in with each request to see and change limits of callers. */
	@Bean
	@Order(0)
	SecurityFilterChain operations(HttpSecurity http) {
		return http
			.securityMatcher("/actuator/ratelimits/*/**", "/actuator/ratelimitcontrols/**",
					"/actuator/health/ratelimit")
			.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	/** Programs show a key, which a limit may rely on as it has been checked here. */
	@Bean
	@Order(1)
	SecurityFilterChain api(HttpSecurity http) {
		return http.securityMatcher("/api/**")
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.addFilter(apiKeys())
			.exceptionHandling((failures) -> failures.authenticationEntryPoint(UNAUTHORIZED))
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	/** Users have a session. What is open to everyone does not look at it. */
	@Bean
	@Order(3)
	SecurityFilterChain site(HttpSecurity http) {
		return http
			.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
				.permitAll()
				.requestMatchers("/login", "/search", "/quotes/**", "/partner/**", "/lab/**", "/actuator/**")
				.permitAll()
				.anyRequest()
				.authenticated())
			.exceptionHandling((failures) -> failures.authenticationEntryPoint(UNAUTHORIZED))
			.csrf((csrf) -> csrf.ignoringRequestMatchers("/login", "/quotes/**", "/lab/**"))
			.build();
	}

	/** The key of logins: each account from each address, however its name is spelt. */
	@Bean
	KeyResolver userAndAddress(KeyResolvers keys) {
		KeyResolver address = keys.firstOf(List.of("client-ip"));
		return (call) -> {
			String user = String.valueOf(call.arguments().get("user"));
			return user.toLowerCase(Locale.ROOT) + " from " + address.resolve(call);
		};
	}

	private static RequestHeaderAuthenticationFilter apiKeys() {
		PreAuthenticatedAuthenticationProvider provider = new PreAuthenticatedAuthenticationProvider();
		provider.setPreAuthenticatedUserDetailsService(SecurityConfiguration::customer);
		RequestHeaderAuthenticationFilter filter = new RequestHeaderAuthenticationFilter();
		filter.setPrincipalRequestHeader("X-Api-Key");
		filter.setExceptionIfHeaderMissing(false);
		filter.setAuthenticationManager(new ProviderManager(provider));
		return filter;
	}

	private static UserDetails customer(PreAuthenticatedAuthenticationToken token) {
		String customer = CUSTOMERS.get(token.getName());
		if (customer == null) {
			throw new UsernameNotFoundException("Unknown API key");
		}
		return User.withUsername(customer).password("").roles("CUSTOMER").build();
	}

}
