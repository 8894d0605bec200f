package io.github.ratelimit.spring.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Many calls are there only to keep Redis busy. */
@SuppressWarnings("FutureReturnValueIgnored")
class SharedRunsTests {

	private static final int AT_ONCE = SharedRuns.FEW_CALLS;

	private final ToldRedis redis = new ToldRedis(false);

	private final ScriptCalls calls = new ScriptCalls("test", null);

	private final SharedRuns runs = new SharedRuns(this.redis, AT_ONCE, SharedRuns.MOST_RUNS);

	@Test
	void asksAtOnceForAsManyCallsAsLeaveRedisIdle() {
		calls(AT_ONCE);
		assertThat(this.redis.open()).hasSize(AT_ONCE).containsOnly(1);
	}

	@Test
	void decidesByOneRunOnAllThatComeWhileRedisIsBusy() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(3);
		assertThat(this.redis.open()).hasSize(AT_ONCE);
		answer(1);
		assertThat(this.redis.open()).hasSize(AT_ONCE).endsWith(1, 3);
		assertThat(others).noneMatch(CompletableFuture::isDone);
		IntStream.range(1, AT_ONCE).forEach((first) -> answer(1));
		answer(7, 8, 9);
		assertThat(others).extracting(CompletableFuture::join).containsExactly(7L, 8L, 9L);
	}

	@Test
	void decidesByOneRunOnAllThatCallAgainAsSoonAsTheyAreTold() {
		calls(AT_ONCE);
		calls(3).forEach((call) -> call.thenRun(() -> calls(1)));
		IntStream.range(0, AT_ONCE).forEach((first) -> answer(1));
		calls(AT_ONCE - 3);
		answer(7, 8, 9);
		assertThat(this.redis.open()).hasSize(AT_ONCE - 2).endsWith(1, 3);
	}

	@Test
	void sendsTheKeysAndNumbersOfAllInTheirOrder() {
		calls(AT_ONCE);
		ScriptCall first = words("carol", 2);
		ScriptCall second = words("dave", 3);
		run(first);
		run(second);
		answer(1);
		ScriptCall together = this.redis.last();
		assertThat(together.script()).isSameAs(first.script().oneByOne());
		assertThat(together.keys()).isDeepEqualTo(new byte[][] { first.keys()[0], second.keys()[0] });
		assertThat(together.arguments()[0]).asString().isEqualTo("ACQUIRE");
		double[] ofSecond = Arrays.copyOfRange(numbers(second), ScriptCalls.CALL_NUMBERS, numbers(second).length);
		assertThat(numbers(together)).startsWith(numbers(first)).endsWith(ofSecond);
		assertThat(numbers(together).length).isEqualTo(numbers(first).length + ofSecond.length);
	}

	@Test
	void asksAtOnceForCallsThatFillARun() {
		calls(AT_ONCE);
		calls(SharedRuns.MOST_CALLS + 2);
		assertThat(this.redis.open()).hasSize(AT_ONCE + 1).endsWith(SharedRuns.MOST_CALLS);
	}

	@Test
	void hasFewRunsOnTheirWayOnceCallsShareThem() {
		calls(AT_ONCE);
		calls(SharedRuns.MOST_CALLS + 2);
		IntStream.range(SharedRuns.MOST_RUNS, AT_ONCE + 1).forEach((first) -> answer(1));
		assertThat(this.redis.open()).containsExactly(1, 1, 1, SharedRuns.MOST_CALLS);
		answer(1);
		assertThat(this.redis.open()).containsExactly(1, 1, SharedRuns.MOST_CALLS, 2);
	}

	@Test
	void runsApartWhatOtherScriptsDecideOn() {
		calls(AT_ONCE);
		run(this.calls.of(Operation.ACQUIRE, List.of(debit("alice", 1, Algorithm.FIXED_WINDOW))));
		assertThat(this.redis.open()).hasSize(AT_ONCE + 1);
		answer(1);
		assertThat(this.redis.open()).hasSize(AT_ONCE);
	}

	@Test
	void asksAtOnceAgainWhenNobodyWaits() {
		calls(AT_ONCE);
		calls(2);
		IntStream.range(0, AT_ONCE).forEach((first) -> answer(1));
		answer(1, 1);
		assertThat(this.redis.open()).isEmpty();
		calls(AT_ONCE);
		assertThat(this.redis.open()).hasSize(AT_ONCE).containsOnly(1);
	}

	@Test
	void countsTheTimeOfARunFromWhenItsFirstCallCame() {
		calls(AT_ONCE);
		this.redis.at(50);
		run(words("alice", 1));
		this.redis.at(60);
		run(words("bob", 1));
		this.redis.at(100);
		answer(1);
		assertThat(this.redis.last().waited()).isEqualTo(50);
	}

	@Test
	void tellsAllOfARunThatItFailedAndGoesOn() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(SharedRuns.MOST_CALLS);
		IntStream.range(0, AT_ONCE).forEach((first) -> answer(1));
		calls(SharedRuns.MOST_RUNS - 1);
		CompletableFuture<Long> last = run(words("zoe", 1));
		this.redis.fail(new RedisException("gone"));
		assertThat(others).extracting(SharedRunsTests::kind).containsOnly(Kind.CONNECTION);
		assertThat(last).isNotDone();
		assertThat(this.redis.open()).hasSize(SharedRuns.MOST_RUNS);
	}

	@Test
	void tellsAllThatWaitWhenRedisIsNotAskedAnyMore() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(SharedRuns.MOST_CALLS - 1);
		this.redis.refuse(new RateLimitStoreException("open", Kind.OPEN, null));
		this.redis.fail(new RedisException("gone"));
		assertThat(others).extracting(SharedRunsTests::kind).containsOnly(Kind.OPEN);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> calls(1));
		this.redis.refuse(null);
		calls(2);
		assertThat(this.redis.open()).hasSize(AT_ONCE).containsOnly(1);
	}

	@Test
	void tellsACallAloneThatItFailed() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(3);
		IntStream.range(0, AT_ONCE).forEach((first) -> answer(1));
		answer(7, -1, 9);
		assertThat(others.get(0).join()).isEqualTo(7);
		assertThat(kind(others.get(1))).isEqualTo(Kind.OTHER);
		assertThat(others.get(2).join()).isEqualTo(9);
	}

	@Test
	void sendsNothingForCallsThatNobodyWaitsForAnyMore() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(2);
		Raw reader = new Raw();
		this.runs.run(words("carol", 1), reader).cancel(false);
		assertThat(reader.failure).isNull();
		answer(1);
		assertThat(reader.failure).isInstanceOf(CancellationException.class);
		assertThat(this.redis.open()).endsWith(others.size());
	}

	@Test
	void runsEachApartOnceRedisTurnsOutToHaveSlots() {
		calls(AT_ONCE);
		List<CompletableFuture<Long>> others = calls(2);
		IntStream.range(0, AT_ONCE).forEach((first) -> answer(1));
		this.redis.fail(new RedisCommandExecutionException("CROSSSLOT Keys in request don't hash to the same slot"));
		assertThat(this.redis.open()).containsExactly(1, 1);
		answer(3);
		answer(4);
		assertThat(others).extracting(CompletableFuture::join).containsExactly(3L, 4L);
		calls(AT_ONCE + 1);
		assertThat(this.redis.open()).hasSize(AT_ONCE + 1).containsOnly(1);
	}

	/** That Redis admits all calls of the run that it was asked for first. */
	private void answer(double... left) {
		this.redis.answer(DoubleStream
			.concat(DoubleStream.of(1, 1), DoubleStream.of(left).flatMap((each) -> DoubleStream.of(each, 0, 1000)))
			.toArray());
	}

	private List<CompletableFuture<Long>> calls(int count) {
		return IntStream.range(0, count).mapToObj((caller) -> run(words("caller-" + caller, 1))).toList();
	}

	private CompletableFuture<Long> run(ScriptCall call) {
		return this.runs.run(call, new Raw());
	}

	private ScriptCall words(String key, long cost) {
		return this.calls.of(Operation.ACQUIRE, List.of(debit(key, cost)));
	}

	private static Debit debit(String key, long cost) {
		return debit(key, cost, Algorithm.TOKEN_BUCKET);
	}

	private static Debit debit(String key, long cost, Algorithm algorithm) {
		return new Debit(new Clause("quotes", "quotes", 0, Limit.parse("10/1s", algorithm), 0), key, cost, 0);
	}

	private static double[] numbers(ScriptCall call) {
		ByteBuffer numbers = ByteBuffer.wrap(call.arguments()[1]).order(ByteOrder.LITTLE_ENDIAN);
		return IntStream.range(0, numbers.capacity() / Double.BYTES)
			.mapToDouble((index) -> numbers.getDouble(index * Double.BYTES))
			.toArray();
	}

	private static Kind kind(CompletableFuture<?> call) {
		return Failures.of(call.handle((read, failure) -> failure).join()).getKind();
	}

	/** Reads how many permits are left. */
	private static final class Raw implements ReplyReader<Long> {

		private @Nullable Throwable failure;

		@Override
		public Long read(byte[] reply) {
			return ScriptCalls.read(reply, ScriptCalls.ANSWER_NUMBERS);
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			this.failure = failure;
			return Failures.of(failure);
		}

	}

}
