package io.github.ratelimit.spring.redis.driver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

@ExtendWith(OutputCaptureExtension.class)
class CircuitBreakingScriptRunnerTests {

	private static final DecisionScript SCRIPT = DecisionScript.ofOne(List.of(Algorithm.TOKEN_BUCKET.rule()));

	private static final byte[] REPLY = { 1 };

	private static final ReplyHandler<byte[], byte[]> HANDLER = new RawReply();

	private final AtomicLong clock = new AtomicLong();

	private final Servers servers = new Servers();

	private final CircuitBreakingScriptRunner breaking = new CircuitBreakingScriptRunner(this.servers, "Redis",
			this.clock::get);

	@Test
	void stopsRunsAfterFiveFailures() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int run = 0; run < 5; run++) {
			assertThat(kind("a")).isEqualTo(Kind.CONNECTION);
		}
		assertThat(kind("a")).isEqualTo(Kind.OPEN);
		assertThat(asyncKind("a")).isEqualTo(Kind.OPEN);
		assertThat(this.servers.runs("a")).isEqualTo(5);
		assertThat(this.breaking.state()).isEqualTo(BreakerState.OPEN);
	}

	@Test
	void keepsOtherServersOfAClusterInUse() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int run = 0; run < 100; run++) {
			kind("a");
			assertThat(run("b")).isEqualTo(REPLY);
		}
	}

	@Test
	void dropsTheBreakerOfARemovedServer() {
		open("a");
		this.servers.names.remove("a");
		assertThat(this.breaking.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void countsFailuresOfAsynchronousRuns() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int run = 0; run < 5; run++) {
			assertThat(asyncKind("a")).isEqualTo(Kind.CONNECTION);
		}
		assertThat(asyncKind("a")).isEqualTo(Kind.OPEN);
	}

	@Test
	void countsErrorsAboutTheInvocationAsSuccesses() {
		this.servers.failures.put("a", new RedisCommandExecutionException("CROSSSLOT Keys in request"));
		for (int run = 0; run < 50; run++) {
			assertThat(kind("a")).isEqualTo(Kind.OTHER);
		}
		assertThat(this.breaking.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void recoversWithTheFirstSuccessfulProbe() {
		open("a");
		this.servers.failures.clear();
		assertThat(kind("a")).isEqualTo(Kind.OPEN);
		advance(Duration.ofSeconds(1));
		assertThat(run("a")).isEqualTo(REPLY);
		assertThat(run("a")).isEqualTo(REPLY);
	}

	@Test
	void replacesAConnectionThatFailedForTwoSeconds() {
		open("a");
		advance(Duration.ofMillis(1100));
		kind("a");
		assertThat(this.servers.reconnects).isEmpty();
		advance(Duration.ofMillis(1100));
		kind("a");
		assertThat(this.servers.reconnects).containsExactly(Kind.CONNECTION);
	}

	@Test
	void replacesAConnectionByTheLatestFailureAtMostEveryTwoSeconds() {
		open("a");
		this.servers.failures.put("a", new RedisCommandExecutionException("READONLY You can't write"));
		advance(Duration.ofMillis(1100));
		kind("a");
		for (int probe = 0; probe < 100; probe++) {
			advance(Duration.ofMillis(100));
			kind("a");
		}
		assertThat(this.servers.reconnects).containsOnly(Kind.READONLY).hasSizeBetween(3, 5);
	}

	@Test
	void probesAfterALateReply() {
		Late late = new Late();
		CircuitBreakingScriptRunner slow = new CircuitBreakingScriptRunner(late, "Redis", this.clock::get);
		for (int run = 0; run < 5; run++) {
			assertThat(slow.runAsync(invocation("a"), HANDLER)).isCompletedExceptionally();
		}
		assertThatExceptionOfType(RateLimitStoreException.class)
			.isThrownBy(() -> slow.runAsync(invocation("a"), HANDLER));
		late.runs.remove().accept(REPLY, null);
		assertThat(slow.runAsync(invocation("a"), HANDLER)).isCompletedExceptionally();
		assertThat(late.runs).hasSize(5);
	}

	@Test
	void logsAnOutageAndTheRecoveryOnce(CapturedOutput output) {
		open("a");
		for (int run = 0; run < 1000; run++) {
			kind("a");
		}
		this.servers.failures.clear();
		advance(Duration.ofSeconds(6));
		for (int run = 0; run < 1000; run++) {
			run("a");
		}
		assertThat(lines(output, "WARN")).singleElement()
			.asString()
			.contains("Redis does not decide on rate limits: connection. Until it does, 'on-store-failure' applies")
			.endsWith("Further failures are counted, not logged");
		assertThat(lines(output, "INFO")).singleElement()
			.asString()
			.endsWith("Redis decides on rate limits again, after 1005 failures");
	}

	@Test
	void logsAnOutageOfAnotherKindAlthoughNoCallSucceededBetweenThem(CapturedOutput output) {
		open("a");
		advance(Duration.ofSeconds(20));
		this.servers.failures.put("a", new RedisCommandExecutionException("OOM command not allowed"));
		kind("a");
		assertThat(lines(output, "WARN"))
			.extracting((line) -> line.substring(line.indexOf("Redis does"), line.indexOf(". Until")))
			.containsExactly("Redis does not decide on rate limits: connection",
					"Redis does not decide on rate limits: oom (OOM command not allowed)");
	}

	@Test
	void remembersTheLatestFailureOtherThanThatTheBreakerIsOpen() {
		assertThat(this.breaking.lastFailure()).isNull();
		Instant before = Instant.now();
		open("a");
		assertThat(kind("a")).isEqualTo(Kind.OPEN);
		assertThat(this.breaking.lastFailure()).isNotNull().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.CONNECTION);
			assertThat(failure.at()).isBetween(before, Instant.now());
		});
	}

	@Test
	void letsARunPassWhenAProbeIsDue() {
		ScriptInvocation invocation = invocation("a");
		assertThat(this.breaking.mayPass(invocation)).isTrue();
		open("a");
		assertThat(this.breaking.mayPass(invocation)).isFalse();
		assertThat(this.breaking.mayPass(invocation("b"))).isTrue();
		advance(Duration.ofSeconds(1));
		assertThat(this.breaking.mayPass(invocation)).isTrue();
		assertThat(this.breaking.mayPass(invocation)).isTrue();
	}

	private static List<String> lines(CapturedOutput output, String level) {
		return output.getAll().lines().filter((line) -> line.contains(level) && line.contains("rate limits")).toList();
	}

	private void open(String server) {
		this.servers.failures.put(server, new RedisException("down"));
		for (int run = 0; run < 5; run++) {
			kind(server);
		}
	}

	private Kind kind(String server) {
		return catchThrowableOfType(RateLimitStoreException.class, () -> run(server)).getKind();
	}

	private Kind asyncKind(String server) {
		CompletableFuture<byte[]> future;
		try {
			future = this.breaking.runAsync(invocation(server), HANDLER);
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
		CompletionException failure = catchThrowableOfType(CompletionException.class, future::join);
		return RedisFailures.of(failure).getKind();
	}

	private byte[] run(String server) {
		return this.breaking.run(invocation(server), HANDLER);
	}

	private void advance(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	private static ScriptInvocation invocation(String server) {
		return new ScriptInvocation(SCRIPT, new byte[][] { server.getBytes(StandardCharsets.US_ASCII) },
				new byte[][] {}, 1, 0);
	}

	/** A server whose replies arrive after the timeout. */
	private static final class Late implements ScriptRunner {

		private final Queue<PendingLettuceRun<?>> runs = new ArrayDeque<>();

		@Override
		public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			PendingLettuceRun<T> run = new PendingLettuceRun<>(invocation, handler);
			run.fail(new TimeoutException());
			this.runs.add(run);
			return run;
		}

		@Override
		public void connect() {
		}

	}

	/** A cluster in which each key has a server of its own. */
	private static final class Servers implements ScriptRunner {

		private final Map<String, RuntimeException> failures = new HashMap<>();

		private final Map<String, Integer> runs = new HashMap<>();

		private final Set<String> names = new HashSet<>(Set.of("a", "b"));

		private final List<Kind> reconnects = new ArrayList<>();

		@Override
		public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			this.runs.merge(server(invocation), 1, Integer::sum);
			RuntimeException failure = this.failures.get(server(invocation));
			if (failure != null) {
				throw handler.onFailure(failure);
			}
			return handler.onReply(REPLY);
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
			return CompletableFuture.completedFuture(invocation).thenApply((made) -> run(made, handler));
		}

		@Override
		public void connect() {
		}

		@Override
		public void reconnect(Kind failure) {
			this.reconnects.add(failure);
		}

		@Override
		public String server(ScriptInvocation invocation) {
			return new String(invocation.keys()[0], StandardCharsets.US_ASCII);
		}

		@Override
		public Collection<String> servers() {
			return this.names;
		}

		int runs(String server) {
			return this.runs.getOrDefault(server, 0);
		}

	}

}
