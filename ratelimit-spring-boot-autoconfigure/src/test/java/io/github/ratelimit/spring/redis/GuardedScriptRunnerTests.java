package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
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
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
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
class GuardedScriptRunnerTests {

	private static final DecisionScript SCRIPT = DecisionScript
		.ofOneCall(List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1s")).formula()));

	private static final byte[] REPLY = { 1 };

	private static final ReplyReader<byte[]> READER = new RawReply();

	private final AtomicLong clock = new AtomicLong();

	private final Servers servers = new Servers();

	private final GuardedScriptRunner guarded = new GuardedScriptRunner(this.servers, "Redis", this.clock::get);

	@Test
	void asksNoServerThatFailedFiveTimes() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int call = 0; call < 5; call++) {
			assertThat(kind("a")).isEqualTo(Kind.CONNECTION);
		}
		assertThat(kind("a")).isEqualTo(Kind.OPEN);
		assertThat(asyncKind("a")).isEqualTo(Kind.OPEN);
		assertThat(this.servers.asked("a")).isEqualTo(5);
		assertThat(this.guarded.state()).isEqualTo(BreakerState.OPEN);
	}

	@Test
	void asksTheOtherServersOfAClusterMeanwhile() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int call = 0; call < 100; call++) {
			kind("a");
			assertThat(run("b")).isEqualTo(REPLY);
		}
	}

	@Test
	void forgetsAServerThatIsGone() {
		open("a");
		this.servers.names.remove("a");
		assertThat(this.guarded.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void countsFailuresOfAsynchronousCalls() {
		this.servers.failures.put("a", new RedisException("down"));
		for (int call = 0; call < 5; call++) {
			assertThat(asyncKind("a")).isEqualTo(Kind.CONNECTION);
		}
		assertThat(asyncKind("a")).isEqualTo(Kind.OPEN);
	}

	@Test
	void blamesNoServerForWhatTheCallerAskedFor() {
		this.servers.failures.put("a", new RedisCommandExecutionException("CROSSSLOT Keys in request"));
		for (int call = 0; call < 50; call++) {
			assertThat(kind("a")).isEqualTo(Kind.OTHER);
		}
		assertThat(this.guarded.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void decidesAgainWithTheFirstProbeThatSucceeds() {
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
		assertThat(this.servers.reconnects).isZero();
		advance(Duration.ofMillis(1100));
		kind("a");
		assertThat(this.servers.reconnects).isEqualTo(1);
	}

	@Test
	void asksAgainAsSoonAsALateReplyArrives() {
		Late late = new Late();
		GuardedScriptRunner slow = new GuardedScriptRunner(late, "Redis", this.clock::get);
		for (int call = 0; call < 5; call++) {
			assertThat(slow.runAsync(call("a"), READER)).isCompletedExceptionally();
		}
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> slow.runAsync(call("a"), READER));
		late.runs.remove().accept(REPLY, null);
		assertThat(slow.runAsync(call("a"), READER)).isCompletedExceptionally();
		assertThat(late.runs).hasSize(5);
	}

	@Test
	void warnsOnceAndTellsOnceOfTheRecovery(CapturedOutput output) {
		open("a");
		for (int call = 0; call < 1000; call++) {
			kind("a");
		}
		this.servers.failures.clear();
		advance(Duration.ofSeconds(6));
		for (int call = 0; call < 1000; call++) {
			run("a");
		}
		assertThat(lines(output, "WARN")).singleElement()
			.asString()
			.endsWith("Redis does not decide on rate limits: connection. Further failures are counted, not logged");
		assertThat(lines(output, "INFO")).singleElement()
			.asString()
			.endsWith("Redis decides on rate limits again, after 1005 failures");
	}

	private static List<String> lines(CapturedOutput output, String level) {
		return output.getAll().lines().filter((line) -> line.contains(level) && line.contains("rate limits")).toList();
	}

	private void open(String server) {
		this.servers.failures.put(server, new RedisException("down"));
		for (int call = 0; call < 5; call++) {
			kind(server);
		}
	}

	private Kind kind(String server) {
		return catchThrowableOfType(RateLimitStoreException.class, () -> run(server)).getKind();
	}

	private Kind asyncKind(String server) {
		CompletableFuture<byte[]> future;
		try {
			future = this.guarded.runAsync(call(server), READER);
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
		CompletionException failure = catchThrowableOfType(CompletionException.class, future::join);
		return Failures.of(failure).getKind();
	}

	private byte[] run(String server) {
		return this.guarded.run(call(server), READER);
	}

	private void advance(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	private static ScriptCall call(String server) {
		return new ScriptCall(SCRIPT, new byte[][] { server.getBytes(StandardCharsets.US_ASCII) }, new byte[][] {}, 1,
				0);
	}

	/** A server whose replies arrive after the timeout. */
	private static final class Late implements ScriptRunner {

		private final Queue<LettuceScriptRun<?>> runs = new ArrayDeque<>();

		@Override
		public <T> T run(ScriptCall call, ReplyReader<T> reader) {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
			LettuceScriptRun<T> run = new LettuceScriptRun<>(call, reader);
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

		private final Map<String, Integer> asked = new HashMap<>();

		private final Set<String> names = new HashSet<>(Set.of("a", "b"));

		private int reconnects;

		@Override
		public <T> T run(ScriptCall call, ReplyReader<T> reader) {
			this.asked.merge(server(call), 1, Integer::sum);
			RuntimeException failure = this.failures.get(server(call));
			if (failure != null) {
				throw reader.failed(failure);
			}
			return reader.read(REPLY);
		}

		@Override
		public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
			return CompletableFuture.completedFuture(call).thenApply((made) -> run(made, reader));
		}

		@Override
		public void connect() {
		}

		@Override
		public void reconnect() {
			this.reconnects++;
		}

		@Override
		public String server(ScriptCall call) {
			return new String(call.keys()[0], StandardCharsets.US_ASCII);
		}

		@Override
		public Collection<String> servers() {
			return this.names;
		}

		int asked(String server) {
			return this.asked.getOrDefault(server, 0);
		}

	}

}
