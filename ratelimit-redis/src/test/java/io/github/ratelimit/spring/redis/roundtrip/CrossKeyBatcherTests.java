package io.github.ratelimit.spring.redis.roundtrip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.ScriptedRedis;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.ReplyHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Many requests only keep Redis busy. */
@SuppressWarnings("FutureReturnValueIgnored")
class CrossKeyBatcherTests {

	private static final int FEW = CrossKeyBatcher.FEW_REQUESTS;

	private final ScriptedRedis redis = new ScriptedRedis(false);

	private final ScriptCodec codec = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis));

	private final CrossKeyBatcher batcher = new CrossKeyBatcher(this.redis, FEW, CrossKeyBatcher.MOST_RUNS);

	@Test
	void runsEachRequestAloneWhileRedisIsIdle() {
		requests(FEW);
		assertThat(this.redis.inFlight()).hasSize(FEW).containsOnly(1);
	}

	@Test
	void decidesByOneRunAllRequestsThatQueuedWhileRedisWasBusy() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(3);
		assertThat(this.redis.inFlight()).hasSize(FEW);
		reply(1);
		assertThat(this.redis.inFlight()).hasSize(FEW).endsWith(1, 3);
		assertThat(others).noneMatch(CompletableFuture::isDone);
		IntStream.range(1, FEW).forEach((first) -> reply(1));
		reply(7, 8, 9);
		assertThat(others).extracting(CompletableFuture::join).containsExactly(7L, 8L, 9L);
	}

	@Test
	void batchesRequestsThatFollowACompletedBatch() {
		requests(FEW);
		requests(3).forEach((result) -> result.thenRun(() -> requests(1)));
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		requests(FEW - 3);
		reply(7, 8, 9);
		assertThat(this.redis.inFlight()).hasSize(FEW - 2).endsWith(1, 3);
	}

	@Test
	void sendsTheKeysAndNumbersOfABatchInOrder() {
		requests(FEW);
		ScriptInvocation first = invocation("carol", 2);
		ScriptInvocation second = invocation("dave", 3);
		run(first);
		run(second);
		reply(1);
		ScriptInvocation together = this.redis.lastInvocation();
		assertThat(together.script()).isSameAs(first.script().oneByOne());
		assertThat(together.keys()).isDeepEqualTo(new byte[][] { first.keys()[0], second.keys()[0] });
		assertThat(together.arguments()[0]).asString().isEqualTo("ACQUIRE");
		double[] ofSecond = Arrays.copyOfRange(numbers(second), ScriptCodec.HEADER_NUMBERS, numbers(second).length);
		assertThat(numbers(together)).startsWith(numbers(first)).endsWith(ofSecond);
		assertThat(numbers(together).length).isEqualTo(numbers(first).length + ofSecond.length);
	}

	@Test
	void runsAFullBatchAtOnce() {
		requests(FEW);
		requests(CrossKeyBatcher.LARGEST_BATCH + 2);
		assertThat(this.redis.inFlight()).hasSize(FEW + 1).endsWith(CrossKeyBatcher.LARGEST_BATCH);
	}

	@Test
	void keepsFewRunsInFlightOnceRequestsAreBatched() {
		requests(FEW);
		requests(CrossKeyBatcher.LARGEST_BATCH + 2);
		IntStream.range(CrossKeyBatcher.MOST_RUNS, FEW + 1).forEach((first) -> reply(1));
		assertThat(this.redis.inFlight()).containsExactly(1, 1, 1, CrossKeyBatcher.LARGEST_BATCH);
		reply(1);
		assertThat(this.redis.inFlight()).containsExactly(1, 1, CrossKeyBatcher.LARGEST_BATCH, 2);
	}

	@Test
	void batchesEachScriptOnItsOwn() {
		requests(FEW);
		run(this.codec.encode(StoreRequest.of(StoreOperation.ACQUIRE, permit("alice", 1, Algorithm.FIXED_WINDOW))));
		assertThat(this.redis.inFlight()).hasSize(FEW + 1);
		reply(1);
		assertThat(this.redis.inFlight()).hasSize(FEW);
	}

	@Test
	void runsEachRequestAloneAgainOnceTheQueueIsEmpty() {
		requests(FEW);
		requests(2);
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		reply(1, 1);
		assertThat(this.redis.inFlight()).isEmpty();
		requests(FEW);
		assertThat(this.redis.inFlight()).hasSize(FEW).containsOnly(1);
	}

	@Test
	void startsTheTimeoutOfABatchWhenItsFirstRequestIsQueued() {
		requests(FEW);
		this.redis.setNow(50);
		run(invocation("alice", 1));
		this.redis.setNow(60);
		run(invocation("bob", 1));
		this.redis.setNow(100);
		reply(1);
		assertThat(this.redis.lastInvocation().waited()).isEqualTo(50);
	}

	@Test
	void failsEachRequestOfAFailedBatchAndRunsTheQueue() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(CrossKeyBatcher.LARGEST_BATCH);
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		requests(CrossKeyBatcher.MOST_RUNS - 1);
		CompletableFuture<Long> last = run(invocation("zoe", 1));
		this.redis.fail(new RedisException("gone"));
		assertThat(others).extracting(CrossKeyBatcherTests::kind).containsOnly(Kind.CONNECTION);
		assertThat(last).isNotDone();
		assertThat(this.redis.inFlight()).hasSize(CrossKeyBatcher.MOST_RUNS);
	}

	@Test
	void failsTheQueueWhenTheCircuitOpens() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(CrossKeyBatcher.LARGEST_BATCH - 1);
		this.redis.reject(new RateLimitStoreException("open", Kind.OPEN, null));
		this.redis.fail(new RedisException("gone"));
		assertThat(others).extracting(CrossKeyBatcherTests::kind).containsOnly(Kind.OPEN);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> requests(1));
		this.redis.reject(null);
		requests(2);
		assertThat(this.redis.inFlight()).hasSize(FEW).containsOnly(1);
	}

	@Test
	void failsOnlyTheRequestForWhichTheScriptFailed() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(3);
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		this.redis.reply(Reply.admitted(1).remaining(7).failed().remaining(9));
		assertThat(others.get(0).join()).isEqualTo(7);
		assertThat(kind(others.get(1))).isEqualTo(Kind.OTHER);
		assertThat(others.get(2).join()).isEqualTo(9);
	}

	@Test
	void failsAllRequestsOfABatchIfTheReplyCannotBeRead() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(3);
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		this.redis.reply(Reply.admitted(1));
		assertThat(others).allMatch((other) -> kind(other) == Kind.OTHER);
	}

	@Test
	void sendsNoCancelledRequest() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(2);
		RemainingHandler handler = new RemainingHandler();
		this.batcher.run(invocation("carol", 1), handler).cancel(false);
		assertThat(handler.failure).isNull();
		reply(1);
		assertThat(handler.failure).isInstanceOf(CancellationException.class);
		assertThat(this.redis.inFlight()).endsWith(others.size());
	}

	@Test
	void stopsBatchingOnceRedisRepliesCrossSlot() {
		requests(FEW);
		List<CompletableFuture<Long>> others = requests(2);
		IntStream.range(0, FEW).forEach((first) -> reply(1));
		this.redis.fail(new RedisCommandExecutionException("CROSSSLOT Keys in request don't hash to the same slot"));
		assertThat(this.redis.inFlight()).containsExactly(1, 1);
		reply(3);
		reply(4);
		assertThat(others).extracting(CompletableFuture::join).containsExactly(3L, 4L);
		requests(FEW + 1);
		assertThat(this.redis.inFlight()).hasSize(FEW + 1).containsOnly(1);
	}

	/** Replies to the first run in flight that all its requests are admitted. */
	private void reply(long... remaining) {
		Reply reply = Reply.admitted(1);
		LongStream.of(remaining).forEach(reply::remaining);
		this.redis.reply(reply);
	}

	private List<CompletableFuture<Long>> requests(int count) {
		return IntStream.range(0, count).mapToObj((caller) -> run(invocation("caller-" + caller, 1))).toList();
	}

	private CompletableFuture<Long> run(ScriptInvocation invocation) {
		return this.batcher.run(invocation, new RemainingHandler());
	}

	private ScriptInvocation invocation(String key, long cost) {
		return this.codec.encode(StoreRequest.of(StoreOperation.ACQUIRE, permit(key, cost)));
	}

	private static PermitRequest permit(String key, long cost) {
		return permit(key, cost, Algorithm.TOKEN_BUCKET);
	}

	private static PermitRequest permit(String key, long cost, Algorithm algorithm) {
		return new PermitRequest(new PolicyLimit("quotes", "quotes", 0, Limit.parse("10/1s", algorithm), 0), key, cost,
				0);
	}

	private static double[] numbers(ScriptInvocation invocation) {
		ByteBuffer numbers = ByteBuffer.wrap(invocation.arguments()[1]).order(ByteOrder.LITTLE_ENDIAN);
		return IntStream.range(0, numbers.capacity() / Double.BYTES)
			.mapToDouble((index) -> numbers.getDouble(index * Double.BYTES))
			.toArray();
	}

	private static Kind kind(CompletableFuture<?> result) {
		return RedisFailures.of(result.handle((read, failure) -> failure).join()).getKind();
	}

	/** A handler that returns the permits left. */
	private static final class RemainingHandler implements ReplyHandler<byte[], Long> {

		private @Nullable Throwable failure;

		@Override
		public Long onReply(byte[] reply) {
			return ScriptCodec.read(reply, ScriptCodec.REPLY_HEADER_NUMBERS);
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			this.failure = failure;
			return RedisFailures.of(failure);
		}

	}

}
