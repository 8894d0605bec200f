package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of what a store keeps of a count.
 */
class CountTests {

	private static final long SECOND = 1_000_000;

	private static final Limit LIMIT = Limit.parse("10/10s");

	@Test
	void hasNotChangedIfItWasNeverCharged() {
		Count count = new Count();
		execute(StoreOperation.PEEK, count, SECOND);
		execute(StoreOperation.RESET, count, 2 * SECOND);
		assertThat(count.isChanged()).isFalse();
	}

	@Test
	void hasChangedOnceItWasCharged() {
		Count count = new Count();
		assertThat(count.writer()).isNull();
		execute(StoreOperation.ACQUIRE, count, SECOND);
		assertThat(count.isChanged()).isTrue();
		assertThat(count.writer()).isSameAs(LIMIT);
		assertThat(count.expiresAt()).isEqualTo(2 * SECOND);
	}

	@Test
	void isReadAsItWasKept() {
		long[] kept = charged();
		Count count = read(kept);
		assertThat(execute(StoreOperation.PEEK, count, SECOND).limits().get(0).remaining()).isEqualTo(9);
		assertThat(count.isChanged()).isFalse();
		execute(StoreOperation.ACQUIRE, count, SECOND);
		assertThat(kept).isEqualTo(charged());
	}

	@Test
	void hasChangedOnceItHasRunOut() {
		Count count = read(charged());
		execute(StoreOperation.PEEK, count, 2 * SECOND - 1);
		assertThat(count.isChanged()).isFalse();
		execute(StoreOperation.PEEK, count, 2 * SECOND);
		assertThat(count.isChanged()).isTrue();
		assertThat(execute(StoreOperation.PEEK, read(count.numbers()), SECOND).limits().get(0).remaining())
			.isEqualTo(10);
	}

	@Test
	void countsOnIfTheClockHasSteppedBack() {
		Count count = read(charged());
		assertThat(count.isAheadOf(SECOND)).isFalse();
		assertThat(count.isAheadOf(0)).isTrue();
		assertThat(execute(StoreOperation.PEEK, count, 0).limits().get(0).remaining()).isEqualTo(9);
		assertThat(count.isChanged()).isTrue();
		assertThat(count.expiresAt()).isEqualTo(SECOND);
	}

	@Test
	void refusesTooFewNumbers() {
		assertThatIllegalArgumentException().isThrownBy(() -> Count.read(LIMIT, new long[4]))
			.withMessage("a count has at least 5 numbers, had 4");
	}

	/** Returns a count that was charged after a second. */
	private static long[] charged() {
		Count count = new Count();
		execute(StoreOperation.ACQUIRE, count, SECOND);
		return count.numbers();
	}

	private static Count read(long[] numbers) {
		return Count.read(LIMIT, numbers);
	}

	private static Decision execute(StoreOperation operation, Count count, long clock) {
		StoreRequest request = new StoreRequest(operation, PermitRequests.of("p", List.of(LIMIT), "a", 1));
		return Counts.decide(request, List.of(count), clock);
	}

}
