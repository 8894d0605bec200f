package io.github.ratelimit.store.memory;

import java.util.HashMap;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.Counts;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a counter that is dropped while threads use it.
 */
class CounterTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/10s"));

	private static final long SECOND = 1_000_000;

	private final PermitRequest permit = PermitRequests.of("p", List.of(LIMIT), "a", 1).get(0);

	private final Counter counter = new Counter(new HashMap<>(), new StateMemory(1000, 1), "a", 0, 0);

	@Test
	void takesNoChargeOnceItHasRunOutAndIsDropped() {
		charge(5);
		assertThat(this.counter.tryRetire(5 * SECOND - 1, 0)).isFalse();
		assertThat(this.counter.tryRetire(5 * SECOND, 0)).isTrue();
		assertThat(this.counter.acquire(this.permit, () -> 5 * SECOND)).isNull();
		assertThat(this.counter.isRetired()).isTrue();
	}

	@Test
	void takesNoChargeOnceItIsDroppedForItSpentLittle() {
		charge(4);
		assertThat(this.counter.tryRetireBelow(0.4)).isFalse();
		assertThat(this.counter.tryRetireBelow(0.5)).isTrue();
		assertThat(this.counter.acquire(this.permit, () -> 0)).isNull();
		assertThat(this.counter.isRetired()).isTrue();
	}

	@Test
	void isNotDroppedForWhatItWasChargedWithoutTheMonitor() {
		charge(4);
		assertThat(this.counter.acquire(this.permit, () -> 0)).isNotNull();
		assertThat(this.counter.spentPart()).isEqualTo(0.5);
		assertThat(this.counter.tryRetireBelow(0.5)).isFalse();
		assertThat(this.counter.tryRetire(5 * SECOND - 1, 0)).isFalse();
	}

	@Test
	void takesNoChargeWithoutTheMonitorWhileSomeoneHasIt() {
		charge(4);
		assertThat(this.counter.count()).isNotNull();
		assertThat(this.counter.acquire(this.permit, () -> 0)).isNull();
	}

	private void charge(long permits) {
		Counts.acquire(this.permit.costing(permits), this.counter.count(), 0);
		this.counter.exit(LIMIT, 0);
		assertThat(this.counter.spentPart()).isEqualTo(permits / 10.0);
	}

}
