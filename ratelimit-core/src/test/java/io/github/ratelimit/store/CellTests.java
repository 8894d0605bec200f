package io.github.ratelimit.store;

import java.util.HashMap;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A count that is dropped while threads have its bucket in hand.
 */
class CellTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/10s"));

	private static final long SECOND = 1_000_000;

	private final Debit debit = Debits.of("p", List.of(LIMIT), "a", 1).get(0);

	private final Cell cell = new Cell(new HashMap<>(), new StateMemory(1000, 1), "a", 0, 0);

	@Test
	void takesNoChargeOnceItHasRunOutAndIsDropped() {
		charge(5);
		assertThat(this.cell.retire(5 * SECOND - 1)).isFalse();
		assertThat(this.cell.retire(5 * SECOND)).isTrue();
		assertThat(this.cell.acquire(this.debit, () -> 5 * SECOND)).isNull();
		assertThat(this.cell.enter()).isFalse();
	}

	@Test
	void takesNoChargeOnceItIsDroppedForItSpentLittle() {
		charge(4);
		assertThat(this.cell.retireBelow(0.4)).isFalse();
		assertThat(this.cell.retireBelow(0.5)).isTrue();
		assertThat(this.cell.acquire(this.debit, () -> 0)).isNull();
		assertThat(this.cell.enter()).isFalse();
	}

	@Test
	void isNotDroppedForWhatItWasChargedWithoutTheMonitor() {
		charge(4);
		assertThat(this.cell.acquire(this.debit, () -> 0)).isNotNull();
		assertThat(this.cell.spentPart()).isEqualTo(0.5);
		assertThat(this.cell.retireBelow(0.5)).isFalse();
		assertThat(this.cell.retire(5 * SECOND - 1)).isFalse();
	}

	@Test
	void takesNoChargeWithoutTheMonitorWhileSomeoneHasIt() {
		charge(4);
		assertThat(this.cell.enter()).isTrue();
		assertThat(this.cell.acquire(this.debit, () -> 0)).isNull();
	}

	private void charge(long permits) {
		this.cell.open(LIMIT, 0);
		this.cell.take(LIMIT, 0, permits, 0);
		this.cell.exit(LIMIT, 0);
		assertThat(this.cell.spentPart()).isEqualTo(permits / 10.0);
	}

}
