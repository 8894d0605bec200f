package io.github.ratelimit.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An upstream that serves every request but those of {@code missing} paths, and reports
 * limits of its own at {@code /talkative}. It responds with the body of a request, if
 * there is one.
 */
public final class Upstream {

	private static final Upstream SHARED = new Upstream();

	private final HttpServer server;

	private final Queue<String> clients = new ConcurrentLinkedQueue<>();

	private Upstream() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::serve);
		this.server.start();
	}

	/** Returns the upstream of this JVM. */
	public static Upstream shared() {
		return SHARED;
	}

	/** Returns its address. */
	public String address() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/** Returns how many requests of a client it has served. */
	public long served(String client) {
		return this.clients.stream().filter(client::equals).count();
	}

	private void serve(HttpExchange exchange) throws IOException {
		List<String> client = exchange.getRequestHeaders().get("X-Client");
		if (client != null) {
			this.clients.addAll(client);
		}
		if (exchange.getRequestURI().getPath().equals("/talkative")) {
			exchange.getResponseHeaders().set("RateLimit", "\"upstream\";r=9;t=9");
			exchange.getResponseHeaders().set("RateLimit-Policy", "\"upstream\";q=10;w=60");
			exchange.getResponseHeaders().set("RateLimit-Limit", "10");
			exchange.getResponseHeaders().set("X-RateLimit-Limit", "10");
		}
		byte[] sent = exchange.getRequestBody().readAllBytes();
		byte[] body = (sent.length > 0) ? sent : "served".getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(exchange.getRequestURI().getPath().endsWith("missing") ? 404 : 200, body.length);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(body);
		}
	}

}
