package io.github.ratelimit.spring.redis.roundtrip;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.ScriptedRedis;
import io.github.ratelimit.spring.redis.driver.CircuitBreakingScriptRunner;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.Coalescer;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CoalescerFailureTests {

	private static final int FEW = CoalescerTests.FEW;

	private static final StoreRequest REQUEST = StoreRequest.of(StoreOperation.ACQUIRE,
			new PermitRequest(CoalescerTests.LIMITED, "alice", 1, 0));

	private final ScriptedRedis redis = new ScriptedRedis(false);

	private final Coalescer<byte[]> coalescer = CoalescerTests.coalescer(this.redis);

	private final AtomicLong clock = new AtomicLong();

	private final CircuitBreakingScriptRunner breaking = new CircuitBreakingScriptRunner(this.redis, "Redis",
			this.clock::get);

	@Test
	void queuesNoRequestBehindAProbe() {
		Coalescer<byte[]> breaking = CoalescerTests.coalescer(this.breaking);
		openCircuit(breaking);
		assertThat(this.breaking.state()).isEqualTo(BreakerState.OPEN);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		CompletableFuture<Decision> probe = breaking.acquire(REQUEST, true);
		for (int other = 0; other < 3; other++) {
			assertThat(catchThrowableOfType(RateLimitStoreException.class, () -> breaking.acquire(REQUEST, true)))
				.extracting(RateLimitStoreException::getKind)
				.isEqualTo(Kind.OPEN);
		}
		assertThat(probe).isNotDone();
		this.redis.reply(Reply.admitted(1).remaining(9));
		assertThat(probe).isCompletedWithValueMatching(Decision::allowed);
		assertThat(this.breaking.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void failsQueuedRequestsInsteadOfProbing() {
		Coalescer<byte[]> breaking = CoalescerTests.coalescer(this.breaking);
		List<CompletableFuture<Decision>> first = CoalescerTests.acquire(FEW, breaking);
		List<CompletableFuture<Decision>> others = CoalescerTests.acquire(2, breaking);
		openCircuit(CoalescerTests.coalescer(this.breaking));
		assertThat(this.breaking.state()).isEqualTo(BreakerState.OPEN);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first.get(0))).isEqualTo(Kind.CONNECTION);
		assertThat(others).allMatch((other) -> kind(other) == Kind.OPEN);
	}

	@Test
	void doesNotChargeRequestsThatAProbeFailed() {
		List<CompletableFuture<Decision>> joined = new ArrayList<>();
		Coalescer<?>[] own = new Coalescer<?>[1];
		AtomicBoolean joins = new AtomicBoolean();
		Coalescer<byte[]> breaking = CoalescerTests
			.coalescer(new CircuitBreakingScriptRunner(this.redis, "Redis", () -> {
				if (joins.getAndSet(false)) {
					joined.add(own[0].acquire(REQUEST, true));
				}
				return this.clock.get();
			}));
		own[0] = breaking;
		List<CompletableFuture<Decision>> first = CoalescerTests.acquire(FEW - 1, breaking);
		openCircuit(breaking);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		joins.set(true);
		CompletableFuture<Decision> probe = breaking.acquire(REQUEST, true);
		int runs = this.redis.requestsPerRun().size();
		reply(FEW);
		assertThat(first).allMatch((decision) -> CoalescerTests.decided(decision).allowed());
		assertThat(probe).isCompletedWithValueMatching(Decision::allowed);
		assertThat(joined).singleElement().matches((other) -> kind(other) == Kind.OPEN);
		assertThat(this.redis.requestsPerRun()).hasSize(runs);
	}

	private void openCircuit(Coalescer<byte[]> breaking) {
		for (int caller = 0; caller < 5; caller++) {
			CompletableFuture<?> unused = breaking.acquire(StoreRequest.of(StoreOperation.ACQUIRE,
					new PermitRequest(CoalescerTests.LIMITED, "caller-" + caller, 1, 0)), true);
			this.redis.failLast(new RedisException("gone"));
		}
	}

	@Test
	void runsTheQueueAfterAFailedRun() {
		List<CompletableFuture<Decision>> first = CoalescerTests.acquire(FEW, this.coalescer);
		CompletableFuture<Decision> next = this.coalescer.acquire(REQUEST, true);
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first.get(0))).isEqualTo(Kind.CONNECTION);
		assertThat(next).isNotDone();
		reply(FEW - 1);
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(next)).isEqualTo(Kind.CONNECTION);
		start();
		assertThat(this.redis.requestsPerRun()).isEqualTo(CoalescerTests.singlesThen(1, 1));
	}

	@Test
	void failsTheQueueWhenTheCircuitOpens() {
		List<CompletableFuture<Decision>> first = CoalescerTests.acquire(FEW, this.coalescer);
		CompletableFuture<Decision> next = this.coalescer.acquire(REQUEST, true);
		this.redis.reject(new RateLimitStoreException("open", Kind.OPEN, null));
		this.redis.fail(new RedisException("gone"));
		assertThat(kind(first.get(0))).isEqualTo(Kind.CONNECTION);
		assertThat(kind(next)).isEqualTo(Kind.OPEN);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> start());
		this.redis.reject(null);
		reply(FEW - 1);
		assertThat(first.get(2)).isCompletedWithValueMatching(Decision::allowed);
		start();
		assertThat(this.redis.requestsPerRun()).isEqualTo(CoalescerTests.singlesThen(1));
	}

	@Test
	void failsAFurtherRequestWhenTheCircuitOpens() {
		CompletableFuture<Decision> first = this.coalescer.acquire(REQUEST, true);
		this.redis.reject(new RateLimitStoreException("open", Kind.OPEN, null));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> start());
		reply(1);
		assertThat(first).isCompletedWithValueMatching(Decision::allowed);
	}

	@Test
	void endsTheQueueIfARunCannotBeStarted() {
		this.redis.reject(new StackOverflowError("of a deep caller"));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> start());
		this.redis.reject(null);
		start();
		assertThat(this.redis.requestsPerRun()).containsExactly(1);
	}

	private void start() {
		CompletableFuture<?> unused = this.coalescer.acquire(REQUEST, true);
	}

	private void reply(int runs) {
		for (int run = 0; run < runs; run++) {
			this.redis.reply(Reply.admitted(1).remaining(9));
		}
	}

	private static Kind kind(CompletableFuture<Decision> decision) {
		assertThat(decision).isCompletedExceptionally();
		return RedisFailures.of(decision.handle((decided, failure) -> failure).join()).getKind();
	}

}
