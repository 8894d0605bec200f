package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of permits that calls hold, and renew until they end.
 */
class ConcurrencyTests {

	private static final long SECOND = 1_000_000;

	private static final long LEASE = 10 * SECOND;

	private static final Concurrency FORMULA = new Concurrency(Rate.parse("5/10s"));

	private final Limit limit = Limit.parse("5 concurrent lease 10s", Algorithm.TOKEN_BUCKET);

	private final PermitRequest permit = new PermitRequest(new PolicyLimit("p", "p", 0, this.limit, 0), "a", 1, 0);

	private long clock = 1_790_000_000_000_000L;

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(10, () -> this.clock);

	@Test
	void admitsAnotherCallForEachThatEnds() {
		long first = acquire();
		for (int call = 1; call < 5; call++) {
			this.clock += SECOND;
			acquire();
		}
		assertThat(execute(StoreOperation.ACQUIRE, 0).allowed()).isFalse();
		assertThat(execute(StoreOperation.REFUND, first).remaining()).isEqualTo(1);
		assertThat(execute(StoreOperation.ACQUIRE, 0).allowed()).isTrue();
		assertThat(execute(StoreOperation.ACQUIRE, 0).allowed()).isFalse();
	}

	@Test
	void givesBackAPermitOnceOnly() {
		long first = acquire();
		this.clock += SECOND;
		acquire();
		assertThat(execute(StoreOperation.REFUND, first).remaining()).isEqualTo(4);
		assertThat(execute(StoreOperation.REFUND, first).remaining()).isEqualTo(4);
	}

	@Test
	void givesBackPermitsOnceTheirLeaseHasEnded() {
		acquire();
		this.clock += LEASE + LEASE / Concurrency.GRAINS;
		assertThat(execute(StoreOperation.PEEK, 0).remaining()).isEqualTo(5);
	}

	@Test
	void keepsARenewedPermitForAnotherLease() {
		long charged = acquire();
		this.clock += LEASE / 2;
		assertThat(execute(StoreOperation.RENEW, charged).allowed()).isTrue();
		long renewed = this.clock;
		this.clock += LEASE - SECOND;
		assertThat(execute(StoreOperation.PEEK, 0).remaining()).isEqualTo(4);
		assertThat(execute(StoreOperation.REFUND, charged).remaining()).isEqualTo(4);
		assertThat(execute(StoreOperation.REFUND, renewed).remaining()).isEqualTo(5);
	}

	@Test
	void renewsNoPermitWhoseLeaseHasEnded() {
		long lost = acquire();
		this.clock += LEASE + LEASE / Concurrency.GRAINS;
		for (int call = 0; call < 5; call++) {
			acquire();
		}
		assertThat(execute(StoreOperation.RENEW, lost).allowed()).isFalse();
		assertThat(execute(StoreOperation.PEEK, 0).remaining()).isZero();
	}

	@Test
	void reportsHowManyPermitsAreLost() {
		long charged = acquire();
		LimitDecision renewed = this.store
			.execute(StoreRequest.of(StoreOperation.RENEW, this.permit.refund(3, charged)))
			.limits()
			.get(0);
		assertThat(renewed.retryAfterMicros()).isEqualTo(2);
		assertThat(renewed.remaining()).isEqualTo(4);
	}

	@Test
	void keepsAtMostAsManyEntriesAsALeaseHasGrains() {
		Concurrency formula = new Concurrency(Rate.parse("1000000/10s"));
		long[] state = formula.stateOf(0, this.clock);
		for (int call = 0; call < 20_000; call++) {
			this.clock += 777;
			state = formula.take(state, this.clock, 1, 0);
		}
		assertThat(formula.remaining(state, this.clock)).isBetween(1_000_000L - 14_000, 1_000_000L - 12_000);
		assertThat(state.length).isLessThanOrEqualTo(4 + 2 * (101 + 8));
	}

	@Test
	void endsALeaseToTheMicrosecond() {
		long[] state = FORMULA.stateOf(1, this.clock);
		assertThat(FORMULA.remaining(state, this.clock + LEASE - 1)).isEqualTo(4);
		assertThat(FORMULA.remaining(state, this.clock + LEASE)).isEqualTo(5);
	}

	@Test
	void dropsLeasesThatHaveEndedWithTheNextCharge() {
		long[] state = FORMULA.take(FORMULA.stateOf(2, this.clock), this.clock + SECOND, 1, 0);
		this.clock += LEASE + 2 * SECOND;
		assertThat(FORMULA.remaining(FORMULA.take(state, this.clock, 1, 0), this.clock)).isEqualTo(4);
	}

	@Test
	void holdsPermitsFromTheTurnOfACallOn() {
		long[] state = FORMULA.take(FORMULA.stateOf(0, this.clock), this.clock, 1, 3 * SECOND);
		assertThat(FORMULA.resetAfter(state, this.clock)).isEqualTo(LEASE + 3 * SECOND);
	}

	@Test
	void hasNoTurnsUnlikeRates() {
		assertThat(FORMULA.longestWait()).isZero();
		assertThat(Algorithm.rates())
			.allSatisfy((algorithm) -> assertThat(Limit.parse("5/1s", algorithm).formula().longestWait())
				.isEqualTo(Bounds.LONGEST_WAIT));
	}

	@Test
	void hasNothingToResetWithoutHolders() {
		assertThat(FORMULA.resetAfter(FORMULA.stateOf(0, 0), 0)).isZero();
	}

	@Test
	void keepsAStateThatIsNotAheadOfTheClock() {
		long[] state = FORMULA.stateOf(1, this.clock);
		assertThat(FORMULA.read(FORMULA, state, this.clock)).isSameAs(state);
		assertThat(FORMULA.read(FORMULA, state, this.clock + SECOND)).isSameAs(state);
		assertThat(FORMULA.coarsened(state, 4)).isSameAs(state);
	}

	@Test
	void movesAStateAheadOfTheClockToNow() {
		long[] later = FORMULA.take(FORMULA.stateOf(1, this.clock), this.clock + SECOND, 1, 0);
		assertThat(FORMULA.resetAfter(Objects.requireNonNull(FORMULA.read(FORMULA, later, this.clock)), this.clock))
			.isEqualTo(LEASE);
		long[] empty = Objects
			.requireNonNull(FORMULA.read(FORMULA, FORMULA.stateOf(0, this.clock), this.clock - SECOND));
		long[] held = FORMULA.take(empty, this.clock - SECOND, 2, 0);
		FORMULA.refund(held, this.clock, 1, this.clock - SECOND, this.clock - SECOND);
		assertThat(FORMULA.remaining(held, this.clock)).isEqualTo(4);
	}

	@Test
	void countsNoMorePermitsThanNumbersCan() {
		long[] state = FORMULA.take(FORMULA.stateOf(Bounds.LARGEST - 1, this.clock), this.clock, 5, 0);
		assertThat(state[Formula.SPENT]).isEqualTo(Bounds.LARGEST);
		assertThat(new Concurrency(Rate.parse("4294967295/10s")).remaining(FORMULA.stateOf(0, 0), 0))
			.isEqualTo(4_294_967_295L);
		assertThatIllegalArgumentException().isThrownBy(() -> new Concurrency(Rate.parse("4294967296/10s")))
			.withMessageContaining("at most 4294967295 permits");
	}

	/** A call whose lease has ended is no holder, though it may go on. */
	@RepeatedTest(20)
	void neverHasMoreHoldersThanPermits() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		List<Long> holders = new ArrayList<>();
		for (int act = 0; act < 2000; act++) {
			this.clock += (random.nextInt(200) == 0) ? random.nextLong(2 * LEASE) : random.nextLong(LEASE / 20);
			int index = holders.isEmpty() ? 0 : random.nextInt(holders.size());
			switch (holders.isEmpty() ? 0 : random.nextInt(4)) {
				case 0, 1 -> {
					if (execute(StoreOperation.ACQUIRE, 0).allowed()) {
						holders.add(this.clock);
					}
				}
				case 2 -> execute(StoreOperation.REFUND, holders.remove(index));
				default -> {
					if (execute(StoreOperation.RENEW, holders.remove(index)).allowed()) {
						holders.add(this.clock);
					}
				}
			}
			assertThat(holders).as("seed %d", seed)
				.filteredOn((charged) -> charged > this.clock - LEASE)
				.hasSizeLessThanOrEqualTo(5);
		}
	}

	private long acquire() {
		Decision decision = this.store.execute(StoreRequest.of(StoreOperation.ACQUIRE, this.permit));
		assertThat(decision.allowed()).isTrue();
		return decision.storeTimeMicros();
	}

	private LimitDecision execute(StoreOperation operation, long chargedAt) {
		return this.store.execute(StoreRequest.of(operation, this.permit.refund(1, chargedAt))).limits().get(0);
	}

}
