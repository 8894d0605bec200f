package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * WebFlux on a real server, with peers of any loopback address.
 */
class WebFluxIdentityIT extends IdentityContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(
			IdentityApplication.class)
		.web(WebApplicationType.REACTIVE)
		.properties(IdentityApplication.properties())
		.properties("server.port=0")
		.run();

	private static final Peers PEERS = new Peers(
			CONTEXT.getEnvironment().getRequiredProperty("local.server.port", Integer.class));

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	int status(String path, String peer, Map<String, List<String>> headers) {
		return PEERS.status(path, peer, headers);
	}

	@Override
	String sendable(String value) {
		return Peers.sendable(value);
	}

}
