package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CoalescerTests {

	private static final Clause CLAUSE = new Clause("quotes", "quotes", 0, Limit.parse("10/1s", Algorithm.TOKEN_BUCKET),
			0);

	private static final int MANY = 2 * SharedRuns.FEW_CALLS;

	private final ToldRedis redis = new ToldRedis(false);

	private final Coalescer coalescer = coalescer(this.redis);

	private final AtomicLong clock = new AtomicLong();

	private final GuardedScriptRunner guarded = new GuardedScriptRunner(this.redis, "Redis", this.clock::get);

	@Test
	void asksOnceForAllThatComeWhileRedisDecides() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		List<CompletableFuture<Decision>> others = List.of(acquire("alice", 1), acquire("alice", 1),
				acquire("alice", 1));
		assertThat(this.redis.asked()).containsExactly(1);
		this.redis.answer(1, 1, 9, 0, 1000);
		assertThat(first.join().allowed()).isTrue();
		assertThat(this.redis.asked()).containsExactly(1, 3);
		assertThat(others).noneMatch(CompletableFuture::isDone);
		this.redis.answer(1, 2, 0, 0, 1000, 0, 100, 1000);
		assertThat(others).extracting((call) -> call.join().allowed()).containsExactly(true, true, false);
		assertThat(others).extracting((call) -> call.join().limits().get(0).remaining()).containsExactly(1L, 0L, 0L);
	}

	@Test
	void decidesOnThoseThatWaitByTheLeaseThatComes() {
		List<Debit> leased = List.of(new Debit(new Clause("leased", "leased", 0, CLAUSE.limit(), 0, 5), "alice", 1, 0));
		CompletableFuture<Decision> first = this.coalescer.acquire(leased, true);
		this.redis.answer(1, 1, 9, 0, 1_000_000);
		CompletableFuture<Decision> second = this.coalescer.acquire(leased, true);
		List<CompletableFuture<Decision>> others = List.of(this.coalescer.acquire(leased, true),
				this.coalescer.acquire(leased, true));
		this.redis.answer(1, 5, 4, 0, 1_000_000);
		assertThat(first.join().allowed()).isTrue();
		assertThat(second.join().limits().get(0).remaining()).isEqualTo(8);
		assertThat(others).extracting((call) -> call.join().limits().get(0).remaining()).containsExactly(7L, 6L);
		assertThat(this.redis.asked()).containsExactly(1, 1);
	}

	@Test
	void asksAnewWhenNobodyWaits() {
		call("alice", 1);
		this.redis.answer(1, 1, 9, 0, 1000);
		call("alice", 1);
		assertThat(this.redis.asked()).containsExactly(1, 1);
	}

	@Test
	void asksApartForOtherKeysAndCosts() {
		call("alice", 1);
		call("bob", 1);
		call("alice", 2);
		assertThat(this.redis.asked()).containsExactly(1, 1, 1);
	}

	@Test
	void hasOtherKeysShareRunsOnOneServerAlone() {
		ToldRedis cluster = new ToldRedis(true);
		Coalescer ofCluster = coalescer(cluster);
		for (int caller = 0; caller < MANY; caller++) {
			call("caller-" + caller, 1);
			CompletableFuture<?> unused = ofCluster.acquire(List.of(new Debit(CLAUSE, "caller-" + caller, 1, 0)), true);
		}
		assertThat(this.redis.asked()).hasSize(SharedRuns.FEW_CALLS);
		assertThat(cluster.asked()).hasSize(MANY);
	}

	@Test
	void hasNoOtherKeysShareTheRunThatAThreadWaitsFor() {
		for (int caller = 0; caller < MANY; caller++) {
			CompletableFuture<?> unused = this.coalescer.acquire(List.of(new Debit(CLAUSE, "caller-" + caller, 1, 0)),
					false);
		}
		assertThat(this.redis.asked()).hasSize(MANY);
	}

	@Test
	void countsTheTimeOfACallFromWhenItCame() {
		call("alice", 1);
		this.redis.at(30);
		call("alice", 1);
		this.redis.at(100);
		this.redis.answer(1, 1, 9, 0, 1000);
		assertThat(this.redis.last().waited()).isEqualTo(70);
	}

	@Test
	void letsNobodyWaitForAProbe() {
		Coalescer guarded = coalescer(this.guarded);
		open(guarded);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		CompletableFuture<Decision> probe = guarded.acquire(List.of(new Debit(CLAUSE, "alice", 1, 0)), false);
		for (int companion = 0; companion < 3; companion++) {
			assertThat(catchThrowableOfType(RateLimitStoreException.class,
					() -> guarded.acquire(List.of(new Debit(CLAUSE, "alice", 1, 0)), false)))
				.extracting(RateLimitStoreException::getKind)
				.isEqualTo(Kind.OPEN);
		}
		assertThat(probe).isNotDone();
		this.redis.answer(1, 1, 9, 0, 1000);
		assertThat(probe.join().allowed()).isTrue();
		assertThat(this.guarded.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void failsThoseThatWaitRatherThanHaveThemProbe() {
		Coalescer guarded = coalescer(this.guarded);
		CompletableFuture<Decision> first = guarded.acquire(List.of(new Debit(CLAUSE, "alice", 1, 0)), false);
		List<CompletableFuture<Decision>> others = Stream
			.generate(() -> guarded.acquire(List.of(new Debit(CLAUSE, "alice", 1, 0)), false))
			.limit(2)
			.toList();
		open(guarded);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(others).allMatch((other) -> kind(other) == Kind.OPEN);
	}

	private void open(Coalescer guarded) {
		for (int call = 0; call < 5; call++) {
			CompletableFuture<?> unused = guarded.acquire(List.of(new Debit(CLAUSE, "caller-" + call, 1, 0)), false);
			this.redis.failLast(new RedisException("gone"));
		}
		assertThat(this.guarded.state()).isEqualTo(BreakerState.OPEN);
	}

	@Test
	void goesOnWithThoseThatWaitWhenARunFails() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		CompletableFuture<Decision> second = acquire("alice", 1);
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(second).isNotDone();
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(second)).isEqualTo(Kind.CONNECTION);
		call("alice", 1);
		assertThat(this.redis.asked()).containsExactly(1, 1, 1);
	}

	@Test
	void failsAllThatWaitWhenRedisIsNotAskedAnyMore() {
		CompletableFuture<Decision> first = acquire("alice", 1);
		CompletableFuture<Decision> second = acquire("alice", 1);
		this.redis.refuse(new RateLimitStoreException("open", Kind.OPEN, null));
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first)).isEqualTo(Kind.CONNECTION);
		assertThat(kind(second)).isEqualTo(Kind.OPEN);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> call("alice", 1));
		this.redis.refuse(null);
		call("alice", 1);
		assertThat(this.redis.asked()).containsExactly(1, 1);
	}

	@Test
	void leavesAloneWhatWaitsOrIsInShadowOrCostsNothing() {
		assertThat(Coalescer.isImmediate(List.of(new Debit(CLAUSE, "alice", 1, 0)))).isTrue();
		assertThat(Coalescer.isImmediate(List.of(new Debit(CLAUSE, "alice", 1, 5)))).isFalse();
		assertThat(Coalescer.isImmediate(List.of(new Debit(CLAUSE, "alice", 0, 0)))).isFalse();
		assertThat(Coalescer.isImmediate(List.of(Debit.inShadow(CLAUSE, "alice", 1, 0)))).isFalse();
	}

	private static Coalescer coalescer(ScriptRunner runner) {
		return new Coalescer(runner, new ScriptCalls("test", null), new Denials(Shortcuts.NONE, System::nanoTime),
				new Leases(System::nanoTime, (debits) -> CompletableFuture.completedFuture(null)));
	}

	private CompletableFuture<Decision> acquire(String key, long cost) {
		return this.coalescer.acquire(List.of(new Debit(CLAUSE, key, cost, 0)), true);
	}

	private void call(String key, long cost) {
		CompletableFuture<?> unused = acquire(key, cost);
	}

	private static Kind kind(CompletableFuture<Decision> call) {
		return Failures.of(call.handle((decision, failure) -> failure).join()).getKind();
	}

}
