package io.github.ratelimit.gateway.webflux;

import io.github.ratelimit.gateway.GatewayContract;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * A gateway on WebFlux and Netty.
 */
@SpringBootTest(classes = GatewayContract.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=gateway", "spring.main.web-application-type=reactive" })
@Import(WebFluxGatewayIT.Server.class)
@Tag("long")
class WebFluxGatewayIT extends GatewayContract {

	/**
	 * Chooses the server, as there are two on the class path.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class Server {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

	}

}
