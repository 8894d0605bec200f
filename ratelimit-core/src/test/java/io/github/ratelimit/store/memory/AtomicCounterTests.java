package io.github.ratelimit.store.memory;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Gcra;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a token bucket without a lock.
 */
class AtomicCounterTests {

	private static final long SECOND = 1_000_000;

	private static final Limit LIMIT = limit("10/10s");

	private final AtomicCounter bucket = new AtomicCounter(gcra(LIMIT), 9 * SECOND, 100 * SECOND, 90 * SECOND);

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
		assertThat(this.bucket.state()).isEqualTo(gcra(LIMIT).state(9 * SECOND, 100 * SECOND, 90 * SECOND));
	}

	@Test
	void returnsItsStateForFormulas() {
		acquire(LIMIT, 1, 102 * SECOND);
		assertThat(this.bucket.changedAt()).isEqualTo(102 * SECOND);
		assertThat(this.bucket.resetAt()).isEqualTo(110 * SECOND);
		assertThat(this.bucket.close()).isEqualTo(gcra(LIMIT).state(8 * SECOND, 102 * SECOND, 90 * SECOND));
	}

	@Test
	void beginsAgainWithACallThatFindsItFull() {
		acquire(LIMIT, 1, 108 * SECOND);
		assertThat(this.bucket.state()).isEqualTo(gcra(LIMIT).state(2 * SECOND, 108 * SECOND, 90 * SECOND));
		acquire(LIMIT, 1, 110 * SECOND);
		assertThat(this.bucket.close()).isEqualTo(gcra(LIMIT).state(SECOND, 110 * SECOND, 110 * SECOND));
	}

	@Test
	void leavesEveryCallToOthersOnceClosed() {
		this.bucket.close();
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

	@Test
	void isOfNoLimitThatRefillsTooFastForOneNumber() {
		assertThat(gcra(limit("1000000/1s")).arrival(0, Long.MAX_VALUE / 1024)).isPositive();
		assertThat(limit("999983/1s").gcra()).isNull();
	}

	private @Nullable Decision acquire(Limit limit, long cost, Long... times) {
		Iterator<Long> clock = List.of(times).iterator();
		return this.bucket.acquire(PermitRequests.of("p", List.of(limit), "a", cost).get(0), clock::next);
	}

	private static Limit limit(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate));
	}

	private static Gcra gcra(Limit limit) {
		return Objects.requireNonNull(limit.gcra());
	}

}
