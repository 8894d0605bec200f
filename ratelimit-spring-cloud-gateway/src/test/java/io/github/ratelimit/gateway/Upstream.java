package io.github.ratelimit.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An upstream that serves every request but those of {@code missing} paths, and reports
 * limits of its own at {@code /talkative}. It responds with the body of a request, if
 * there is one. Responses of {@code stream} and {@code cut} paths wait for
 * {@link #finish} after they have begun; those of the latter end too early. Those of
 * {@code silent} paths never begin.
 */
public final class Upstream {

	private static final Upstream SHARED = new Upstream();

	private final HttpServer server;

	private final Queue<String> clients = new ConcurrentLinkedQueue<>();

	private final Map<String, CountDownLatch> streams = new ConcurrentHashMap<>();

	private Upstream() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::serve);
		this.server.setExecutor((request) -> {
			Thread thread = new Thread(request, "upstream");
			thread.setDaemon(true);
			thread.start();
		});
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

	/** Lets the response to a client end. */
	public void finish(String client) {
		stream(client).countDown();
	}

	private CountDownLatch stream(String client) {
		return this.streams.computeIfAbsent(client, (begun) -> new CountDownLatch(1));
	}

	private void serve(HttpExchange exchange) throws IOException {
		List<String> client = exchange.getRequestHeaders().get("X-Client");
		if (client != null) {
			this.clients.addAll(client);
		}
		String path = exchange.getRequestURI().getPath();
		if (path.endsWith("/silent")) {
			exchange.close();
			return;
		}
		if (client != null && (path.endsWith("/stream") || path.endsWith("/cut"))) {
			stream(exchange, client.get(0), path.endsWith("/cut"));
			return;
		}
		if (path.equals("/talkative")) {
			setLimits(exchange.getResponseHeaders());
		}
		byte[] sent = exchange.getRequestBody().readAllBytes();
		byte[] body = (sent.length > 0) ? sent : "served".getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(path.endsWith("missing") ? 404 : 200, body.length);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(body);
		}
	}

	private static void setLimits(Headers headers) {
		headers.set("RateLimit", "\"upstream\";r=9;t=9");
		headers.set("RateLimit-Policy", "\"upstream\";q=10;w=60");
		headers.set("RateLimit-Limit", "10");
		headers.set("X-RateLimit-Limit", "10");
	}

	/** Serves one of two parts, and then the other or nothing. */
	private void stream(HttpExchange exchange, String client, boolean cut) throws IOException {
		byte[] part = "served".getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
		exchange.sendResponseHeaders(200, 2L * part.length);
		OutputStream out = exchange.getResponseBody();
		out.write(part);
		out.flush();
		try {
			stream(client).await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		if (!cut) {
			out.write(part);
		}
		exchange.close();
	}

}
