package io.github.ratelimit.spring.redis.roundtrip;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.ScriptedRedis;
import io.github.ratelimit.spring.redis.driver.CircuitBreakingScriptRunner;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CoalescerTests {

	private static final PolicyLimit LIMITED = new PolicyLimit("quotes", "quotes", 0,
			Limit.parse("10/1s", Algorithm.TOKEN_BUCKET), 0);

	private static final int MANY = 2 * CrossKeyBatcher.FEW_REQUESTS;

	private final ScriptedRedis redis = new ScriptedRedis(false);

	private final Coalescer coalescer = coalescer(this.redis);

	private final AtomicLong clock = new AtomicLong();

	private final CircuitBreakingScriptRunner breaking = new CircuitBreakingScriptRunner(this.redis, "Redis",
			this.clock::get);

	@Test
	void decidesByOneRunAllRequestsThatQueuedBehindTheFirst() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		List<CompletableFuture<Decision>> others = List.of(acquire("alice", 1), acquire("alice", 1),
				acquire("alice", 1));
		assertThat(this.redis.requestsPerRun()).containsExactly(1);
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(first.join().allowed()).isTrue();
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 3);
		assertThat(others).noneMatch(CompletableFuture::isDone);
		this.redis.reply(Reply.admitted(2).remaining(0).remaining(0).retryAfter(100));
		assertThat(others).extracting((decision) -> decision.join().allowed()).containsExactly(true, true, false);
		assertThat(others).extracting((decision) -> decision.join().limits().get(0).remaining())
			.containsExactly(1L, 0L, 0L);
	}

	@Test
	void decidesQueuedRequestsFromPrefetchedPermits() {
		StoreRequest prefetched = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(
				new PolicyLimit("prefetched", "prefetched", 0, LIMITED.limit(), 0, 5, false), "alice", 1, 0));
		CompletableFuture<Decision> first = this.coalescer.acquire(prefetched, false);
		this.redis.reply(Reply.admitted(1).remaining(9).resetAfter(1_000_000));
		CompletableFuture<Decision> second = this.coalescer.acquire(prefetched, false);
		List<CompletableFuture<Decision>> others = List.of(this.coalescer.acquire(prefetched, false),
				this.coalescer.acquire(prefetched, false));
		this.redis.reply(Reply.admitted(5).remaining(4).resetAfter(1_000_000));
		assertThat(first.join().allowed()).isTrue();
		assertThat(second.join().limits().get(0).remaining()).isEqualTo(8);
		assertThat(others).extracting((decision) -> decision.join().limits().get(0).remaining())
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
		Coalescer ofCluster = coalescer(cluster);
		for (int caller = 0; caller < MANY; caller++) {
			start("caller-" + caller, 1);
			CompletableFuture<?> unused = ofCluster.acquire(
					StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "caller-" + caller, 1, 0)),
					false);
		}
		assertThat(this.redis.requestsPerRun()).hasSize(CrossKeyBatcher.FEW_REQUESTS);
		assertThat(cluster.requestsPerRun()).hasSize(MANY);
	}

	@Test
	void startsFewerRunsWhileThreadsWait() {
		await(0, CrossKeyBatcher.FEW_REQUESTS + MANY);
		reply(1);
		assertThat(this.redis.requestsPerRun()).endsWith(MANY);
		await(MANY * 2, MANY * 2 + 5);
		reply(CrossKeyBatcher.FEW_REQUESTS - CrossKeyBatcher.MOST_AWAITED_RUNS);
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

	private void reply(int runs) {
		for (int run = 0; run < runs; run++) {
			this.redis.reply(Reply.admitted(1).remaining(9));
		}
	}

	@Test
	void startsTheTimeoutOfARequestWhenItIsQueued() {
		start("alice", 1);
		this.redis.setNow(30);
		start("alice", 1);
		this.redis.setNow(100);
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(this.redis.lastInvocation().waited()).isEqualTo(70);
	}

	@Test
	void queuesNoRequestBehindAProbe() {
		Coalescer breaking = coalescer(this.breaking);
		openCircuit(breaking);
		assertThat(this.breaking.state()).isEqualTo(BreakerState.OPEN);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		CompletableFuture<Decision> probe = breaking
			.acquire(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)), true);
		for (int other = 0; other < 3; other++) {
			assertThat(catchThrowableOfType(RateLimitStoreException.class,
					() -> breaking.acquire(
							StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)), true)))
				.extracting(RateLimitStoreException::getKind)
				.isEqualTo(Kind.OPEN);
		}
		assertThat(probe).isNotDone();
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(probe.join().allowed()).isTrue();
		assertThat(this.breaking.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void failsQueuedRequestsInsteadOfProbing() {
		Coalescer breaking = coalescer(this.breaking);
		CompletableFuture<Decision> first = breaking
			.acquire(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)), true);
		List<CompletableFuture<Decision>> others = Stream
			.generate(() -> breaking
				.acquire(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0)), true))
			.limit(2)
			.toList();
		openCircuit(breaking);
		assertThat(this.breaking.state()).isEqualTo(BreakerState.OPEN);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(others).allMatch((other) -> kind(other) == Kind.OPEN);
	}

	@Test
	void doesNotChargeRequestsThatAProbeFailed() {
		List<CompletableFuture<Decision>> joined = new ArrayList<>();
		StoreRequest request = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 0));
		Coalescer[] own = new Coalescer[1];
		AtomicBoolean joins = new AtomicBoolean();
		Coalescer breaking = coalescer(new CircuitBreakingScriptRunner(this.redis, "Redis", () -> {
			if (joins.getAndSet(false)) {
				joined.add(own[0].acquire(request, true));
			}
			return this.clock.get();
		}));
		own[0] = breaking;
		openCircuit(breaking);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		joins.set(true);
		CompletableFuture<Decision> probe = breaking.acquire(request, true);
		int runs = this.redis.requestsPerRun().size();
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(probe.join().allowed()).isTrue();
		assertThat(joined).singleElement().matches((other) -> kind(other) == Kind.OPEN);
		assertThat(this.redis.requestsPerRun()).hasSize(runs);
	}

	private void openCircuit(Coalescer breaking) {
		for (int caller = 0; caller < 5; caller++) {
			CompletableFuture<?> unused = breaking.acquire(
					StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "caller-" + caller, 1, 0)),
					true);
			this.redis.failLast(new RedisException("gone"));
		}
	}

	@Test
	void runsTheQueueAfterAFailedRun() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		CompletableFuture<Decision> second = acquire("alice", 1);
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(second).isNotDone();
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(second)).isEqualTo(Kind.CONNECTION);
		start("alice", 1);
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 1, 1);
	}

	@Test
	void failsTheQueueWhenTheCircuitOpens() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		CompletableFuture<Decision> second = acquire("alice", 1);
		this.redis.reject(new RateLimitStoreException("open", Kind.OPEN, null));
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(kind(second)).isEqualTo(Kind.OPEN);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> start("alice", 1));
		this.redis.reject(null);
		start("alice", 1);
		assertThat(this.redis.requestsPerRun()).containsExactly(1, 1);
	}

	@Test
	void endsTheQueueIfARunCannotBeStarted() {
		this.redis.reject(new StackOverflowError("of a deep caller"));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> start("alice", 1));
		this.redis.reject(null);
		start("alice", 1);
		assertThat(this.redis.requestsPerRun()).containsExactly(1);
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

	private static Coalescer coalescer(ScriptRunner runner) {
		return new Coalescer(runner, new ScriptCodec("test", null), new DenialCache(0, Duration.ZERO, System::nanoTime),
				new PrefetchCache(System::nanoTime, (refund) -> CompletableFuture.completedFuture(null)));
	}

	private CompletableFuture<Decision> acquire(String key, long cost) {
		return this.coalescer.acquire(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, key, cost, 0)),
				false);
	}

	private void start(String key, long cost) {
		CompletableFuture<?> unused = acquire(key, cost);
	}

	private static Kind kind(CompletableFuture<Decision> decision) {
		return RedisFailures.of(decision.handle((decided, failure) -> failure).join()).getKind();
	}

}
