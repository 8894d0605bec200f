package io.github.ratelimit.spring.web.ended;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Limited calls that end in every way. A call holds its permit until its response is
 * complete, releases it once, and is charged by how it ended. The system property
 * {@code test.ends} sets how often each way is tried.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class EndedCallsContract {

	/** The time after which a server ends asynchronous requests. */
	static final Duration TIMEOUT = Duration.ofMillis(400);

	private static final int ROUNDS = Integer.getInteger("test.ends", 2);

	private static final List<Ending> FAILURES = List.of(Ending.THROWS, Ending.FAILS, Ending.BREAKS);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ConfigurableApplicationContext context;

	EndedCallsContract(WebApplicationType type, Class<?>... configuration) {
		this.context = new SpringApplicationBuilder(Application.class).sources(configuration)
			.web(type)
			.properties("server.port=0", "server.shutdown=immediate", "ratelimit.store=memory",
					"spring.mvc.async.request-timeout=" + TIMEOUT.toMillis(),
					"ratelimit.policies.held.limits=1 concurrent", "ratelimit.policies.pages.limits=9 concurrent",
					"ratelimit.policies.failed.limits=1000/1d fixed-window",
					"ratelimit.policies.succeeded.limits=1000/1d fixed-window")
			.run();
	}

	@AfterAll
	void stop() {
		this.context.close();
	}

	/** Returns the ways in which calls of a kind can end on the server, by kind. */
	abstract Stream<Arguments> ways();

	static Stream<Arguments> ways(String kind, Ending... endings) {
		return Stream.of(endings).map((ending) -> arguments(kind, ending));
	}

	@ParameterizedTest
	@MethodSource
	void holdsItsPermitUntilTheResponseIsComplete(String kind) {
		String id = Calls.HELD + kind;
		CompletableFuture<Integer> first = get(kind, Ending.COMPLETES, id);
		calls().begun(id).join();
		assertThat(get(kind, Ending.COMPLETES, id).join()).isEqualTo(429);
		calls().end(id).complete(null);
		assertThat(first.join()).isEqualTo(200);
		assertIsReleased(id);
	}

	Stream<Object> holdsItsPermitUntilTheResponseIsComplete() {
		return ways().map((way) -> way.get()[0]).distinct();
	}

	@ParameterizedTest
	@MethodSource("ways")
	void releasesItsPermitAndIsChargedByItsEnd(String kind, Ending ending) {
		List<String> ids = IntStream.range(0, ROUNDS).mapToObj((round) -> kind + ending + round).toList();
		List<CompletableFuture<Integer>> calls = ids.stream()
			.map((id) -> (ending == Ending.CLIENT_LEAVES) ? leave(kind, id) : get(kind, ending, id))
			.toList();
		calls.forEach((call) -> call.exceptionally((broken) -> 0).join());
		boolean failed = FAILURES.contains(ending);
		ids.forEach((id) -> {
			assertIsReleased(id);
			assertThat(1000 - remaining("failed", "expression:" + id)).as("failed").isEqualTo(failed ? 1 : 0);
			assertThat(1000 - remaining("succeeded", "expression:" + id)).as("succeeded").isEqualTo(failed ? 0 : 1);
		});
	}

	private void assertIsReleased(String id) {
		Awaitility.await()
			.alias(id)
			.pollInterval(Duration.ofMillis(5))
			.untilAsserted(() -> assertThat(remaining("held", "expression:" + id)).isOne());
	}

	private CompletableFuture<Integer> get(String kind, Ending ending, String id) {
		return get(path(kind, ending, id));
	}

	int status(String path) {
		return get(path).join();
	}

	private CompletableFuture<Integer> get(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
			.timeout(Duration.ofSeconds(30))
			.build();
		return this.client.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
	}

	/** Sends a request and resets the connection when its handler has begun. */
	private CompletableFuture<Integer> leave(String kind, String id) {
		String request = "GET " + path(kind, Ending.CLIENT_LEAVES, id) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
		try {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
			socket.setSoLinger(true, 0);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return calls().begun(id).thenApply((begun) -> close(socket));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int close(Socket socket) {
		try {
			socket.close();
			return 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String path(String kind, Ending ending, String id) {
		return "/" + kind + "/" + ending + "/" + id;
	}

	long remaining(String policy, String key) {
		return bean(RateLimiter.class).peek(List.of(Charge.of(policy, key))).limits().get(0).remaining();
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	private Calls calls() {
		return bean(Calls.class);
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(EndingController.class)
	static class Application {

		@Bean
		Calls calls() {
			return new Calls();
		}

	}

}
