package io.github.ratelimit.spring.web;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Clients of a server, each at a loopback address.
 */
final class Peers {

	private final Map<String, WebClient> clients = new ConcurrentHashMap<>();

	private final int port;

	Peers(int port) {
		this.port = port;
	}

	int status(String path, String peer, Map<String, List<String>> headers) {
		return Objects.requireNonNull(this.clients.computeIfAbsent(peer, this::client)
			.get()
			.uri(path)
			.headers((sent) -> headers.forEach(sent::addAll))
			.exchangeToMono((response) -> response.releaseBody().then(Mono.just(response.statusCode().value())))
			.block());
	}

	/** Returns the part that a client sends: the server itself would reject the rest. */
	static String sendable(String value) {
		return value.replaceAll("[^\\x20-\\x7e]", "").strip();
	}

	private WebClient client(String address) {
		HttpClient bound = HttpClient.create().bindAddress(() -> new InetSocketAddress(address, 0));
		return WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(bound))
			.baseUrl("http://127.0.0.1:" + this.port)
			.build();
	}

}
