package io.github.ratelimit.spring.web;

import java.util.Map;

import org.junit.jupiter.api.AfterAll;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Spring Security before WebFlux.
 */
class WebFluxSecurityIT extends SecurityContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.REACTIVE)
		.properties(PROPERTIES)
		.properties("server.port=0")
		.run();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	Response send(String method, String path, Map<String, String> headers, String body) {
		int port = CONTEXT.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send(method, path, headers, body);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebFluxSecurity
	@Import(ServletSecurityIT.Controller.class)
	static class Application {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(
					User.withUsername("alice").password("{noop}secret").roles("USER").build(),
					User.withUsername("bob").password("{noop}secret").roles("USER").build(),
					User.withUsername("carol").password("{noop}secret").roles("ADMIN").build(),
					User.withUsername("eve").password("{noop}secret").roles("ADMIN").build());
		}

	}

}
