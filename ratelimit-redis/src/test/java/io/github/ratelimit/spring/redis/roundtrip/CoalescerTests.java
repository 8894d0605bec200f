package io.github.ratelimit.spring.redis.roundtrip;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.ScriptedRedis;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.Coalescer;
import io.github.ratelimit.store.shared.DenialCache;
import io.github.ratelimit.store.shared.PrefetchCache;
import io.github.ratelimit.store.shared.Shortcuts;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescerTests {

	static final PolicyLimit LIMITED = new PolicyLimit("quotes", "quotes", 0,
			Limit.parse("10/1s", Algorithm.TOKEN_BUCKET), 0);

	static final int FEW = CrossKeyBatcher.FEW_REQUESTS;

	private static final int MANY = 2 * FEW;

	private final ScriptedRedis redis = new ScriptedRedis(false);

	private final Coalescer<byte[]> coalescer = coalescer(this.redis);

	@Test
	void decidesByOneRunAllRequestsThatQueuedBehindAFew() {
		List<CompletableFuture<Decision>> first = acquire(FEW);
		List<CompletableFuture<Decision>> others = acquire(3);
		assertThat(this.redis.requestsPerRun()).isEqualTo(singlesThen());
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(first).filteredOn(CompletableFuture::isDone).containsExactly(first.get(0));
		assertThat(this.redis.requestsPerRun()).isEqualTo(singlesThen(3));
		reply(FEW - 1);
		assertThat(first).allMatch((decision) -> decided(decision).allowed());
		assertThat(others).noneMatch(CompletableFuture::isDone);
		this.redis.reply(Reply.admitted(2).remaining(0).remaining(0).retryAfter(100));
		assertThat(others).extracting((decision) -> decided(decision).allowed()).containsExactly(true, true, false);
		assertThat(others).extracting((decision) -> decided(decision).limits().get(0).remaining())
			.containsExactly(1L, 0L, 0L);
	}

	@Test
	void startsNoFurtherRunWhileManyRequestsAreInFlight() {
		List<CompletableFuture<Decision>> all = new ArrayList<>(acquire(MANY));
		reply(1);
		all.addAll(acquire(1));
		reply(FEW - 1);
		assertThat(this.redis.requestsPerRun()).isEqualTo(singlesThen(FEW));
		this.redis.fail(new RedisException("gone"));
		assertThat(this.redis.requestsPerRun()).isEqualTo(singlesThen(FEW, 1));
		reply(1);
		assertThat(all).allMatch(CompletableFuture::isDone);
	}

	@Test
	void startsAFurtherRunWhileFewRequestsAreInFlight() {
		List<CompletableFuture<Decision>> all = new ArrayList<>(acquire(MANY - 1));
		reply(FEW);
		all.addAll(acquire(2));
		assertThat(this.redis.requestsPerRun()).isEqualTo(singlesThen(FEW - 1, 1));
		assertThat(this.redis.inFlight()).containsExactly(FEW - 1, 1);
		this.redis.fail(new RedisException("gone"));
		assertThat(this.redis.inFlight()).containsExactly(1, 1);
		reply(2);
		assertThat(all).allMatch(CompletableFuture::isDone);
	}

	@Test
	void decidesByOneRunAllRequestsThatFollowALargeOneAtOnce() {
		List<CompletableFuture<Decision>> all = acquire(FEW + MANY);
		List<CompletableFuture<Decision>> following = new ArrayList<>();
		for (CompletableFuture<Decision> decision : all.subList(FEW, FEW + MANY)) {
			CompletableFuture<?> unused = decision.thenRun(() -> following.addAll(acquire(1)));
		}
		reply(FEW);
		assertThat(this.redis.inFlight()).containsExactly(MANY);
		this.redis.reply(Reply.admitted(MANY).remaining(4));
		assertThat(following).hasSize(MANY);
		assertThat(this.redis.inFlight()).containsExactly(MANY);
		this.redis.reply(Reply.admitted(MANY).remaining(4));
		assertThat(following).allMatch((decision) -> decided(decision).allowed());
	}

	@Test
	void decidesQueuedRequestsFromPrefetchedPermits() {
		StoreRequest prefetched = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(
				new PolicyLimit("prefetched", "prefetched", 0, LIMITED.limit(), 0, 5, false, false), "alice", 1, 0));
		CompletableFuture<Decision> first = this.coalescer.acquire(prefetched, false);
		this.redis.reply(Reply.admitted(1).remaining(9).resetAfter(1_000_000));
		CompletableFuture<Decision> second = this.coalescer.acquire(prefetched, false);
		List<CompletableFuture<Decision>> others = List.of(this.coalescer.acquire(prefetched, false),
				this.coalescer.acquire(prefetched, false));
		this.redis.reply(Reply.admitted(5).remaining(4).resetAfter(1_000_000));
		assertThat(first).isCompletedWithValueMatching(Decision::allowed);
		assertThat(decided(second).limits().get(0).remaining()).isEqualTo(8);
		assertThat(others).extracting((decision) -> decided(decision).limits().get(0).remaining())
			.containsExactly(7L, 6L);
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 1);
	}

	@Test
	void startsANewRunWhenTheQueueIsEmpty() {
		start("alice", 1);
		this.redis.reply(Reply.admitted(1).remaining(9));
		start("alice", 1);
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 1);
	}

	@Test
	void sharesNoRunBetweenKeysOrCosts() {
		start("alice", 1);
		start("bob", 1);
		start("alice", 2);
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 1, 1);
	}

	@Test
	void batchesDifferentKeysExceptInACluster() {
		ScriptedRedis cluster = new ScriptedRedis(true);
		Coalescer<byte[]> ofCluster = coalescer(cluster);
		for (int caller = 0; caller < MANY; caller++) {
			start("caller-" + caller, 1);
			CompletableFuture<?> unused = ofCluster.acquire(
					StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "caller-" + caller, 1, 0)),
					false);
		}
		assertThat(this.redis.requestsPerRun()).hasSize(FEW);
		assertThat(cluster.requestsPerRun()).hasSize(MANY);
	}

	@Test
	void startsFewerRunsWhileThreadsWait() {
		await(0, FEW + MANY);
		reply(1);
		assertThat(this.redis.requestsPerRun()).endsWith(MANY);
		await(MANY * 2, MANY * 2 + 5);
		reply(FEW - CrossKeyBatcher.MOST_AWAITED_RUNS);
		assertThat(this.redis.requestsPerRun()).endsWith(MANY);
		reply(1);
		assertThat(this.redis.requestsPerRun()).endsWith(5);
	}

	private void await(int from, int to) {
		for (int caller = from; caller < to; caller++) {
			CompletableFuture<?> unused = this.coalescer.acquire(
					StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "caller-" + caller, 1, 0)),
					true);
		}
	}

	/** Returns the requests per run: of as many single runs as there may be, and more. */
	static List<Integer> singlesThen(Integer... more) {
		return Stream.concat(Collections.nCopies(FEW, 1).stream(), Stream.of(more)).toList();
	}

	private List<CompletableFuture<Decision>> acquire(int requests) {
		return acquire(requests, this.coalescer);
	}

	static List<CompletableFuture<Decision>> acquire(int requests, Coalescer<byte[]> coalescer) {
		StoreRequest request = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0));
		return Stream.generate(() -> coalescer.acquire(request, true)).limit(requests).toList();
	}

	private void reply(int runs) {
		for (int run = 0; run < runs; run++) {
			this.redis.reply(Reply.admitted(1).remaining(9));
		}
	}

	@Test
	void startsTheTimeoutOfARequestWhenItIsQueued() {
		List<CompletableFuture<Decision>> all = new ArrayList<>(acquire(FEW));
		this.redis.setNow(30);
		all.addAll(acquire(1));
		this.redis.setNow(100);
		reply(1);
		assertThat(all).filteredOn(CompletableFuture::isDone).containsExactly(all.get(0));
		assertThat(this.redis.lastInvocation().waited()).isEqualTo(70);
	}

	@Test
	void treatsWaitingShadowAndFreeRequestsAsNotImmediate() {
		assertThat(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)).isImmediate())
			.isTrue();
		assertThat(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 5)).isImmediate())
			.isFalse();
		assertThat(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 0, 0)).isImmediate())
			.isFalse();
		assertThat(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED.inShadow(), "alice", 1, 0))
			.isImmediate()).isFalse();
	}

	static Coalescer<byte[]> coalescer(ScriptRunner runner) {
		return new Coalescer<>(
				new ScriptRuns(runner, new ScriptCodec("test", ServerClock.like(System::currentTimeMillis))),
				new Shortcuts(new DenialCache(0, Duration.ZERO, System::nanoTime),
						new PrefetchCache(System::nanoTime, (refund) -> CompletableFuture.completedFuture(null))));
	}

	private CompletableFuture<Decision> acquire(String key, long cost) {
		return this.coalescer.acquire(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, key, cost, 0)),
				false);
	}

	private void start(String key, long cost) {
		CompletableFuture<?> unused = acquire(key, cost);
	}

	/**
	 * Returns a decision that must be there, so that a missing one does not stop a test.
	 */
	static Decision decided(CompletableFuture<Decision> decision) {
		assertThat(decision).isCompleted();
		return decision.join();
	}

}
