package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CoalescerTests {

	private static final Clause CLAUSE = new Clause("quotes", "quotes", 0, Limit.parse("10/1s", Algorithm.TOKEN_BUCKET),
			0);

	private static final int MANY = 2 * SharedRuns.FEW_CALLS;

	private final ToldRedis redis = new ToldRedis(false);

	private final Coalescer coalescer = coalescer(this.redis);

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
		long before = System.nanoTime();
		call("alice", 1);
		long after = System.nanoTime();
		this.redis.answer(1, 1, 9, 0, 1000);
		assertThat(this.redis.last().since()).isBetween(before, after);
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
				new Leases(System::nanoTime));
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
