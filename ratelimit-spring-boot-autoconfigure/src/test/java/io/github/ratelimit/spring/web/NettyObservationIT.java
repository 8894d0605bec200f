package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.AfterAll;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The observations of WebFlux on Netty.
 */
class NettyObservationIT extends ObservationContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class,
			Server.class)
		.web(WebApplicationType.REACTIVE)
		.properties(PROPERTIES)
		.run();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	ConfigurableApplicationContext context() {
		return CONTEXT;
	}

	/** Chooses the server, as there are two on the class path. */
	@Configuration(proxyBeanMethods = false)
	static class Server {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

	}

}
