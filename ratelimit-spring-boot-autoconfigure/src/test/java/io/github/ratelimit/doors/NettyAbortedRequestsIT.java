package io.github.ratelimit.doors;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.web.server.SecurityWebFilterChain;

class NettyAbortedRequestsIT extends AbortedRequestsContract {

	NettyAbortedRequestsIT() {
		super(WebApplicationType.REACTIVE, Server.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Server {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.csrf(CsrfSpec::disable)
				.build();
		}

	}

}
