package io.github.ratelimit.spring.web;

import java.util.List;

import jakarta.servlet.Filter;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The ways to configure CORS, all of which allow one origin to read {@code Retry-After}.
 */
final class CorsConfigurations {

	private CorsConfigurations() {
	}

	private static CorsConfiguration configuration() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.setAllowedOrigins(List.of(CorsDenialsIT.ORIGIN));
		configuration.setExposedHeaders(List.of("Retry-After"));
		return configuration;
	}

	private static UrlBasedCorsConfigurationSource source() {
		UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
		source.registerCorsConfiguration("/**", configuration());
		return source;
	}

	private static org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource reactiveSource() {
		org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource source = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
		source.registerCorsConfiguration("/**", configuration());
		return source;
	}

	/** Registers a filter as Spring Boot does. */
	private static FilterRegistrationBean<Filter> registered(Filter chain) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(chain);
		registration.setOrder(-100);
		return registration;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Secured {

		@Bean
		UrlBasedCorsConfigurationSource corsConfigurationSource() {
			return source();
		}

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.cors(Customizer.withDefaults()).build();
		}

		@Bean
		FilterRegistrationBean<Filter> registration(@Qualifier("springSecurityFilterChain") Filter chain) {
			return registered(chain);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class SecuredInline {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.cors((cors) -> cors.configurationSource(source())).build();
		}

		@Bean
		FilterRegistrationBean<Filter> registration(@Qualifier("springSecurityFilterChain") Filter chain) {
			return registered(chain);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapping implements WebMvcConfigurer {

		@Override
		public void addCorsMappings(CorsRegistry registry) {
			registry.addMapping("/**").allowedOrigins(CorsDenialsIT.ORIGIN).exposedHeaders("Retry-After");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Filtering {

		@Bean
		CorsFilter cors() {
			return new CorsFilter(source());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registered {

		@Bean
		FilterRegistrationBean<CorsFilter> cors() {
			return new FilterRegistrationBean<>(new CorsFilter(source()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RegisteredElsewhere {

		@Bean
		FilterRegistrationBean<CorsFilter> cors() {
			FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(new CorsFilter(source()));
			registration.addUrlPatterns("/after", "/elsewhere/*", "*.json");
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class ReactiveSecured {

		@Bean
		org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource corsConfigurationSource() {
			return reactiveSource();
		}

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveMapping implements WebFluxConfigurer {

		@Override
		public void addCorsMappings(org.springframework.web.reactive.config.CorsRegistry registry) {
			registry.addMapping("/**").allowedOrigins(CorsDenialsIT.ORIGIN).exposedHeaders("Retry-After");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveFiltering {

		@Bean
		CorsWebFilter cors() {
			return new CorsWebFilter(reactiveSource());
		}

	}

}
