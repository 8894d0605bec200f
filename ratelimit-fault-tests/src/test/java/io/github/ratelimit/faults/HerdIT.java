package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that eight instances of an application deny until a window ends, and that come
 * back after {@code Retry-After}. As that has whole seconds, they come back at the same
 * part of a second as the denial, so their first requests are spread over one second.
 */
@ExtendWith(FaultTable.class)
@Tag("slow")
class HerdIT {

	private static final int INSTANCES = 8;

	private static final int CLIENTS = 2000;

	private static final int THREADS = 32;

	private static final int PERMITS = 2 * CLIENTS;

	private static final long JITTER_SECONDS = 5;

	/** A window that is longer than a slow machine takes to deny all clients. */
	private static final int WINDOW_SECONDS = 15;

	/** The bins of the jitter, and of the second by which whole ones are late. */
	private static final int BINS = 10 * (1 + (int) JITTER_SECONDS);

	private static final long BIN_NANOS = Duration.ofMillis(100).toNanos();

	@Test
	void comesBackInNoWaveIfRetryAfterHasJitter(Rows table) {
		double wave = wave(JITTER_SECONDS);
		assertThat(wave).isLessThanOrEqualTo(3);
		table.add(
				"22 " + CLIENTS + " clients of " + INSTANCES
						+ " instances come back as `Retry-After` tells them, with a jitter of " + JITTER_SECONDS + " s",
				"all are admitted; at most 3 times the mean in 100 ms",
				String.format(Locale.ROOT, "at most %.1f times the mean", wave));
	}

	/** Without jitter, the rig detects the wave. */
	@Test
	void detectsTheWaveWithoutJitter() {
		assertThat(wave(0)).isGreaterThan(3);
	}

	/**
	 * Returns how many times the mean came back in the fullest bin, over the time of the
	 * jitter.
	 */
	private static double wave(long jitter) {
		long[] returns = returns(jitter);
		long begin = LongStream.of(returns).min().orElseThrow();
		long[] bins = new long[BINS + 1];
		LongStream.of(returns).forEach((time) -> bins[(int) Math.min(BINS, (time - begin) / BIN_NANOS)]++);
		return (double) LongStream.of(bins).max().orElseThrow() * BINS / CLIENTS;
	}

	/** Returns when each client was to come back, however late the machine was. */
	private static long[] returns(long jitter) {
		try (RedisProcess redis = RedisProcess.start()) {
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			List<ConfigurableApplicationContext> instances = IntStream.range(0, INSTANCES)
				.mapToObj((instance) -> start(redis, jitter))
				.toList();
			try {
				instances.get(0).getBean(RateLimiter.class).acquire(new Charge("herd", "global", PERMITS));
				return returns(instances, threads);
			}
			finally {
				threads.shutdown();
				instances.forEach(ConfigurableApplicationContext::close);
			}
		}
	}

	private static long[] returns(List<ConfigurableApplicationContext> instances, Executor threads) {
		HttpClient http = HttpClient.newHttpClient();
		List<HttpRequest> requests = instances.stream().map(HerdIT::request).toList();
		List<CompletableFuture<Long>> clients = IntStream.range(0, CLIENTS)
			.mapToObj((client) -> client(http, requests.get(client % INSTANCES),
					TimeUnit.SECONDS.toNanos(1) * client / CLIENTS, threads))
			.toList();
		return clients.stream().mapToLong(CompletableFuture::join).toArray();
	}

	/**
	 * Sends a request that is denied, and another after the wait; returns when that was
	 * due.
	 */
	private static CompletableFuture<Long> client(HttpClient http, HttpRequest request, long delay, Executor threads) {
		return send(http, request, delay, threads).thenCompose((denial) -> {
			assertThat(denial.statusCode()).isEqualTo(429);
			long wait = TimeUnit.SECONDS.toNanos(denial.headers().firstValueAsLong("Retry-After").orElseThrow());
			long due = System.nanoTime() + wait;
			return send(http, request, wait, threads).thenApply((response) -> {
				assertThat(response.statusCode()).isEqualTo(200);
				return due;
			});
		});
	}

	private static CompletableFuture<HttpResponse<Void>> send(HttpClient http, HttpRequest request, long delay,
			Executor threads) {
		return CompletableFuture.supplyAsync(() -> send(http, request),
				CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, threads));
	}

	private static HttpResponse<Void> send(HttpClient http, HttpRequest request) {
		try {
			return http.send(request, BodyHandlers.discarding());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static HttpRequest request(ConfigurableApplicationContext instance) {
		int port = instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/herd")).build();
	}

	private static ConfigurableApplicationContext start(RedisProcess redis, long jitter) {
		return new SpringApplicationBuilder(Calls.class)
			.properties("server.port=0", "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port(),
					"ratelimit.policies.herd.limits=" + PERMITS + "/" + WINDOW_SECONDS + "s fixed-window",
					"ratelimit.policies.herd.key=global", "ratelimit.rules[0].paths=/herd",
					"ratelimit.rules[0].policies=herd", "ratelimit.redis.timeout=2s",
					"ratelimit.http.retry-after-jitter=" + jitter + "s", "server.tomcat.threads.max=8")
			.run();
	}

	@RestController
	@EnableAutoConfiguration
	static class Calls {

		@GetMapping("/herd")
		String response() {
			return "ok";
		}

	}

}
