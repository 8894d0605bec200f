package io.github.ratelimit.sample.live;

import java.util.List;

import io.github.ratelimit.http.RateLimitFields;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;

/**
 * The live page is open to everyone. It has no session and no cookie, so a page of
 * another site can do nothing in a visitor's name.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties(LiveProperties.class)
class LiveConfiguration {

	@Bean
	@Order(2)
	SecurityFilterChain live(HttpSecurity http, LiveProperties properties) {
		return http.securityMatcher("/", "/index.html", "/live/**")
			.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.headers((headers) -> headers
				.contentSecurityPolicy((policy) -> policy.policyDirectives(contentSecurityPolicy(properties)))
				.referrerPolicy((policy) -> {
				}))
			.cors((cors) -> cors.configurationSource(otherInstances(properties)))
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	private static String contentSecurityPolicy(LiveProperties properties) {
		return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' "
				+ String.join(" ", properties.instances())
				+ "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
	}

	/** Lets the pages of other instances call this one and read its headers. */
	private static CorsConfigurationSource otherInstances(LiveProperties properties) {
		CorsConfiguration cors = new CorsConfiguration();
		cors.setAllowedOrigins(properties.instances());
		cors.setAllowedMethods(List.of("GET", "POST"));
		cors.setExposedHeaders(
				List.of(RateLimitFields.RATE_LIMIT, RateLimitFields.RATE_LIMIT_POLICY, HttpHeaders.RETRY_AFTER));
		return (request) -> cors;
	}

}
