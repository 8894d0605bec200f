package io.github.ratelimit.store.memory;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a counter without a lock.
 */
class AtomicCounterTests {

	private static final long SECOND = 1_000_000;

	private static final Limit LIMIT = limit("10/10s");

	private final AtomicCounter bucket = counter(LIMIT, state(9 * SECOND, 100 * SECOND, 90 * SECOND));

	@Test
	void reportsWhatIsLeftAndItsReset() {
		Decision decision = Objects.requireNonNull(acquire(LIMIT, 1, 100 * SECOND));
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.storeTimeMicros()).isEqualTo(100 * SECOND);
		assertThat(decision.limits().get(0).remaining()).isZero();
		assertThat(decision.limits().get(0).resetAfterMicros()).isEqualTo(10 * SECOND);
	}

	@Test
	void chargesNothingWhenItDenies() {
		Decision decision = Objects.requireNonNull(acquire(LIMIT, 2, 100 * SECOND));
		assertThat(decision.retryAfterMicros()).isEqualTo(SECOND);
		assertThat(this.bucket.state()).isEqualTo(state(9 * SECOND, 100 * SECOND, 90 * SECOND));
	}

	@Test
	void returnsItsStateForFormulas() {
		acquire(LIMIT, 1, 102 * SECOND);
		assertThat(this.bucket.resetAt()).isEqualTo(110 * SECOND);
		Count count = close(this.bucket, LIMIT);
		assertThat(count.isJustChangedBy(LIMIT, 102 * SECOND)).isTrue();
		assertThat(count.expiresAt()).isEqualTo(110 * SECOND);
		assertThat(count.state()).isEqualTo(state(8 * SECOND, 102 * SECOND, 90 * SECOND));
	}

	@Test
	void beginsAgainWithACallThatFindsItFull() {
		acquire(LIMIT, 1, 108 * SECOND);
		assertThat(this.bucket.state()).isEqualTo(state(2 * SECOND, 108 * SECOND, 90 * SECOND));
		acquire(LIMIT, 1, 110 * SECOND);
		assertThat(close(this.bucket, LIMIT).state()).isEqualTo(state(SECOND, 110 * SECOND, 110 * SECOND));
	}

	@Test
	void leavesEveryCallToOthersOnceClosed() {
		close(this.bucket, LIMIT);
		assertThat(acquire(LIMIT, 1, 101 * SECOND)).isNull();
	}

	@Test
	void leavesACallOfAnotherLimitToOthers() {
		assertThat(acquire(limit("11/11s"), 1, 101 * SECOND)).isNull();
		assertThat(acquire(limit("10/11s"), 1, 101 * SECOND)).isNull();
		assertThat(acquire(Limit.of(Algorithm.FIXED_WINDOW, LIMIT.rate()), 1, 101 * SECOND)).isNull();
		assertThat(acquire(limit("10/10s"), 1, 101 * SECOND)).isNotNull();
	}

	@Test
	void leavesAClockThatHasSteppedBackToOthers() {
		assertThat(acquire(LIMIT, 1, 100 * SECOND - 1, 100 * SECOND - 1)).isNull();
	}

	@Test
	void readsTheClockAgainWhereAnotherThreadOvertook() {
		Decision decision = Objects.requireNonNull(acquire(LIMIT, 1, 100 * SECOND - 1, 100 * SECOND + 1));
		assertThat(decision.storeTimeMicros()).isEqualTo(100 * SECOND + 1);
	}

	@Test
	void leavesACallThatFindsItFullAndChargesNothingToOthers() {
		assertThat(acquire(LIMIT, 0, 108 * SECOND)).isNotNull();
		assertThat(acquire(LIMIT, 0, 109 * SECOND)).isNull();
		assertThat(acquire(LIMIT, 1, 109 * SECOND)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "sliding-window-counter" })
	void leavesAStateThatDoesNotFitOneNumberToOthers(String algorithm) {
		Limit limit = Limit.parse("10/10s " + algorithm, Algorithm.TOKEN_BUCKET);
		assertThat(AtomicCounter.of(limit, limit.formula().stateOf(15, 100 * SECOND), 100 * SECOND)).isNotNull();
		assertThat(AtomicCounter.of(limit, limit.formula().stateOf(16, 100 * SECOND), 100 * SECOND)).isNull();
	}

	@Test
	void leavesATimeThatDoesNotFitOneNumberToOthers() {
		Limit limit = Limit.parse("10/10s fixed-window", Algorithm.TOKEN_BUCKET);
		AtomicCounter counter = counter(limit, limit.formula().stateOf(1, 100 * SECOND));
		PermitRequest permit = PermitRequests.of("p", List.of(limit), "a", 1).get(0);
		assertThat(counter.acquire(permit, () -> 100 * SECOND + (Long.MAX_VALUE >> 4))).isNull();
		assertThat(counter.acquire(permit, () -> 109 * SECOND)).isNotNull();
		assertThat(close(counter, limit).state()).isEqualTo(new long[] { 2, 1, 110 * SECOND, 100 * SECOND });
	}

	private @Nullable Decision acquire(Limit limit, long cost, Long... times) {
		Iterator<Long> clock = List.of(times).iterator();
		return this.bucket.acquire(PermitRequests.of("p", List.of(limit), "a", cost).get(0), clock::next);
	}

	private static Count close(AtomicCounter counter, Limit limit) {
		return counter.close(Count.Memory.UNBOUNDED, limit);
	}

	private static Limit limit(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate));
	}

	private static AtomicCounter counter(Limit limit, long[] state) {
		return Objects.requireNonNull(AtomicCounter.of(limit, state, 100 * SECOND));
	}

	private static long[] state(long spent, long at, long began) {
		return new long[] { spent, SECOND, at, began };
	}

}
