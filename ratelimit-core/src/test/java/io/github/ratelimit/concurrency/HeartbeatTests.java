package io.github.ratelimit.concurrency;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatTests {

	private static final long SECOND = 1_000_000;

	private final Limit limit = Limit.parse("5 concurrent lease 12s", Algorithm.TOKEN_BUCKET);

	private final PermitRequest permit = new PermitRequest(new PolicyLimit("api", "api", 0, this.limit, 0), "a", 1, 0);

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final TestStore store = new TestStore(this.clock::get);

	private final List<String> lost = new ArrayList<>();

	private final Heartbeat heartbeat = new Heartbeat(this.lost::add,
			() -> TimeUnit.MICROSECONDS.toNanos(this.clock.get()));

	@AfterEach
	void close() {
		this.heartbeat.close();
	}

	@Test
	void renewsPermitsForAsLongAsACallHoldsThem() {
		HeldPermits held = acquire();
		beatFor(60);
		assertThat(remaining()).isEqualTo(4);
		release(held);
		assertThat(remaining()).isEqualTo(5);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void renewsEveryThirdOfALease() {
		HeldPermits held = acquire();
		beatFor(60);
		assertThat(renewals()).isBetween(60 / 4L, 60 / 3L);
		assertThat(held.isHeld()).isTrue();
	}

	@Test
	void renewsCallsOfOneTimeByOneRequest() {
		List<HeldPermits> held = List.of(acquire(), acquire(), acquire());
		beatFor(3);
		assertThat(renewals()).isEqualTo(1);
		release(held.get(1));
		assertThat(remaining()).isEqualTo(3);
		assertThat(held.get(0).isHeld()).isTrue();
		assertThat(held.get(2).isHeld()).isTrue();
	}

	@Test
	void renewsNoPermitsThatWereReleased() {
		release(acquire());
		beatFor(12);
		assertThat(renewals()).isZero();
	}

	@Test
	void reportsPermitsThatAreLost() {
		HeldPermits held = acquire();
		this.clock.addAndGet(20 * SECOND);
		this.heartbeat.beat();
		assertThat(this.lost).containsExactly("api");
		assertThat(held.isHeld()).isFalse();
		assertThat(held.tryRelease()).isNull();
		this.heartbeat.beat();
		assertThat(this.lost).hasSize(1);
	}

	@Test
	void losesNoMorePermitsThanTheStoreLost() {
		List<HeldPermits> held = List.of(acquire(), acquire());
		execute(StoreOperation.REFUND, this.permit.refund(1, this.clock.get()));
		beatFor(3);
		assertThat(this.lost).hasSize(1);
		assertThat(held).filteredOn(HeldPermits::isHeld).hasSize(1);
		assertThat(remaining()).isEqualTo(4);
	}

	@Test
	void triesAgainAfterAFailure() {
		HeldPermits held = acquire();
		this.store.fail();
		beatFor(6);
		this.store.recover();
		beatFor(10);
		assertThat(remaining()).isEqualTo(4);
		assertThat(held.isHeld()).isTrue();
		assertThat(this.lost).isEmpty();
	}

	@Test
	void givesBackWhatWasReleasedDuringARenewal() throws InterruptedException {
		HeldPermits held = acquire();
		this.store.delay();
		Thread beat = new Thread(() -> beatFor(3));
		beat.start();
		while (this.store.delayed() == 0) {
			Thread.onSpinWait();
		}
		assertThat(held.tryRelease()).isNull();
		assertThat(held.isHeld()).isFalse();
		this.store.complete();
		beat.join();
		this.store.complete();
		assertThat(remaining()).isEqualTo(5);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void givesUpPermitsThatNothingCanRelease() {
		acquire();
		for (int collection = 0; collection < 50 && remaining() < 5; collection++) {
			System.gc();
			beatFor(12);
		}
		assertThat(remaining()).isEqualTo(5);
		assertThat(this.lost).isEmpty();
	}

	private void beatFor(long seconds) {
		for (long second = 0; second < seconds; second++) {
			this.clock.addAndGet(SECOND);
			this.heartbeat.beat();
		}
	}

	private HeldPermits acquire() {
		execute(StoreOperation.ACQUIRE, this.permit);
		HeldPermits held = new HeldPermits(this.store, this.permit, this.clock.get());
		this.heartbeat.keep(held);
		return held;
	}

	private void release(HeldPermits held) {
		@Nullable PermitRequest refund = held.tryRelease();
		execute(StoreOperation.REFUND, Objects.requireNonNull(refund));
		assertThat(held.tryRelease()).isNull();
	}

	private long remaining() {
		return this.store.execute(StoreRequest.of(StoreOperation.PEEK, this.permit)).limits().get(0).remaining();
	}

	private long renewals() {
		return this.store.requests(StoreOperation.RENEW).size();
	}

	private void execute(StoreOperation operation, PermitRequest request) {
		this.store.execute(StoreRequest.of(operation, request));
	}

}
