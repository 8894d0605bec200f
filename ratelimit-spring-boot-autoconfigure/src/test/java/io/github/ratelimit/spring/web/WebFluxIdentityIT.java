package io.github.ratelimit.spring.web;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.AfterAll;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * WebFlux on a real Netty, with peers of any loopback address.
 */
class WebFluxIdentityIT extends IdentityContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.REACTIVE)
		.properties(PROPERTIES)
		.properties("server.port=0")
		.run();

	private final Map<String, WebClient> clients = new ConcurrentHashMap<>();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	int status(String path, String peer, Map<String, List<String>> headers) {
		return Objects.requireNonNull(this.clients.computeIfAbsent(peer, WebFluxIdentityIT::client)
			.get()
			.uri(path)
			.headers((sent) -> headers.forEach(sent::addAll))
			.exchangeToMono((response) -> response.releaseBody().then(Mono.just(response.statusCode().value())))
			.block());
	}

	/** What a client lets through: others would be answered by Netty itself. */
	@Override
	String sendable(String value) {
		return value.replaceAll("[^\\x20-\\x7e]", "").strip();
	}

	private static WebClient client(String address) {
		HttpClient bound = HttpClient.create().bindAddress(() -> new InetSocketAddress(address, 0));
		return WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(bound))
			.baseUrl("http://127.0.0.1:" + CONTEXT.getEnvironment().getRequiredProperty("local.server.port"))
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

}
