package io.github.ratelimit.store;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.ReplayedBucket;
import io.github.ratelimit.algorithm.ReplayedBucket.Charge;
import io.github.ratelimit.decision.LimitDecision;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract for refunds of token buckets on any store: whatever else is charged and
 * refunded, they return no more than if the permits had never been charged.
 * {@code -Dtest.histories} is the number of random histories, {@code -Dtest.seed} repeats
 * a run.
 */
public abstract class RefundsContract {

	private static final System.Logger LOGGER = System.getLogger(RefundsContract.class.getName());

	private static final int HISTORIES = Integer.getInteger("test.histories", 20);

	private static final int STEPS = 100;

	private static final long SECOND = 1_000_000;

	/** The length of the epochs of a count that refunds a charge after nine seconds. */
	private static final long EPOCH = 1 << 20;

	/** The beginning of an epoch. */
	private static final long NOW = 1_707_077_100 * EPOCH;

	private static final List<String> LIMITS = List.of("60000/1m", "10/1s burst 40", "1000/1h", "6131/1d burst 300");

	private final AtomicLong clock = new AtomicLong(NOW);

	/** A new policy for each test, as many tests may share a store. */
	private final String policy = "refunds-" + System.nanoTime();

	private RateLimitStore store;

	@BeforeEach
	void createStore() {
		this.store = store(this.clock::get);
	}

	/**
	 * Returns the store under test.
	 * @param clock the store's time, in microseconds since 1970
	 * @return a store, which may have counts of other policies
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	/** A limit of another plan may refill what was charged by a slower one. */
	@Test
	void refundsNoMoreThanIsSpentOfACountThatAnotherLimitHasRefilled() {
		Limit slow = AnyLimit.of(Algorithm.TOKEN_BUCKET, "1/1s").withBurst(10);
		Limit fast = AnyLimit.of(Algorithm.TOKEN_BUCKET, "7/1s").withBurst(10);
		execute(StoreOperation.ACQUIRE, slow, 8);
		this.clock.addAndGet(SECOND);
		assertThat(execute(StoreOperation.ACQUIRE, fast, 1).remaining()).isEqualTo(8);
		LimitDecision refunded = refund(slow, 8, NOW);
		assertThat(refunded.remaining()).isEqualTo(10);
		assertThat(refunded.resetAfterMicros()).isZero();
		assertThat(execute(StoreOperation.ACQUIRE, slow, 10).allowed()).isTrue();
		assertThat(execute(StoreOperation.ACQUIRE, slow, 1).retryAfterMicros()).isEqualTo(SECOND);
	}

	/**
	 * Checks that one of two permits is refunded: at one moment of the epoch, no more was
	 * spent, so that the other has been refilled.
	 */
	@Test
	void refundsNoMoreThanTheLeastThatWasSpentInTheEpochOfTheCharge() {
		Limit limit = Limit.parse("10/1s", Algorithm.TOKEN_BUCKET);
		this.clock.set(NOW - 91 * SECOND / 10);
		execute(StoreOperation.CHARGE, limit, 99);
		this.clock.addAndGet(9 * SECOND);
		refund(limit, 1, NOW - 91 * SECOND / 10);
		this.clock.set(NOW);
		assertThat(execute(StoreOperation.ACQUIRE, limit, 2).remaining()).isZero();
		this.clock.addAndGet(9 * SECOND / 10);
		assertThat(execute(StoreOperation.ACQUIRE, limit, 9).remaining()).isZero();
		assertThat(refund(limit, 2, NOW).remaining()).isEqualTo(1);
	}

	/** A call that waits is charged when it is decided, not at its turn. */
	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void refundsOfACallThatWaitedWhatStillCountsSinceItWasCharged(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "100/100s").withBurst(100);
		execute(StoreOperation.ACQUIRE, limit, 100);
		PermitRequest waiting = new PermitRequest(permit(limit, "a", 0).policyLimit(), "a", 50, 100 * SECOND);
		assertThat(execute(StoreOperation.ACQUIRE, waiting).waitMicros()).isEqualTo(50 * SECOND);
		this.clock.addAndGet(SECOND);
		refund(limit, 100, NOW);
		this.clock.addAndGet(48 * SECOND);
		assertThat(execute(StoreOperation.ACQUIRE, limit, 98).allowed()).isTrue();
		this.clock.addAndGet(SECOND);
		assertThat(execute(StoreOperation.REFUND, waiting.refund(50, NOW, NOW + 50 * SECOND)).remaining())
			.isLessThanOrEqualTo(4);
	}

	/** Others may have been charged between a reset and the turn of a call before it. */
	@ParameterizedTest
	@EnumSource(names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
	void refundsNothingOfACallThatWaitedWhenItsKeyWasReset(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "3/10s");
		execute(StoreOperation.ACQUIRE, limit, limit.burst());
		PermitRequest waiting = new PermitRequest(permit(limit, "a", 0).policyLimit(), "a", limit.burst(), 20 * SECOND);
		long turn = NOW + execute(StoreOperation.ACQUIRE, waiting).waitMicros();
		assertThat(turn).isGreaterThan(NOW);
		this.clock.addAndGet(SECOND);
		execute(StoreOperation.RESET, limit, 0);
		this.clock.set(turn - SECOND / 2);
		execute(StoreOperation.ACQUIRE, limit, limit.burst());
		this.clock.set(turn);
		long left = execute(StoreOperation.PEEK, limit, 0).remaining();
		assertThat(execute(StoreOperation.REFUND, waiting.refund(limit.burst(), NOW, turn)).remaining())
			.isEqualTo(left);
	}

	@Test
	void refundsNoMoreThanIfThePermitsHadNeverBeenCharged() {
		long seed = Long.getLong("test.seed", System.nanoTime());
		double sum = 0;
		for (int history = 0; history < HISTORIES; history++) {
			sum += new History(new Random(seed + history), "seed " + seed + ", history " + history).run();
		}
		LOGGER.log(Level.INFO, "{0}: {1} histories of {2} steps, {3} of what is exact refunded, seed {4}",
				getClass().getSimpleName(), Integer.toString(HISTORIES), Integer.toString(STEPS),
				String.format(Locale.ROOT, "%.4f", sum / HISTORIES), Long.toString(seed));
	}

	private LimitDecision execute(StoreOperation operation, Limit limit, long cost) {
		return execute(operation, permit(limit, "a", cost));
	}

	private LimitDecision refund(Limit limit, long cost, long chargedAt) {
		return execute(StoreOperation.REFUND, permit(limit, "a", 0).refund(cost, chargedAt));
	}

	private LimitDecision execute(StoreOperation operation, PermitRequest permit) {
		return this.store.execute(StoreRequest.of(operation, permit)).limits().get(0);
	}

	private PermitRequest permit(Limit limit, String key, long cost) {
		return PermitRequests.of(this.policy, List.of(limit), key, cost).get(0);
	}

	/**
	 * A charge that can be refunded.
	 *
	 * @param charge the charge
	 * @param turn when its call proceeds
	 */
	private record Open(Charge charge, long turn) {

	}

	/** Random charges and refunds of a key, which a replay repeats. */
	private final class History {

		private final Random random;

		private final String name;

		private final Limit limit;

		private final ReplayedBucket replayed;

		private final List<Open> open = new ArrayList<>();

		private final int most;

		History(Random random, String name) {
			RefundsContract.this.clock.set(NOW);
			this.random = random;
			this.name = name;
			this.limit = Limit.parse(LIMITS.get(random.nextInt(LIMITS.size())));
			this.replayed = new ReplayedBucket(this.limit, NOW);
			this.most = 1 + random.nextInt(20);
		}

		/** Runs, and returns the part of what is exact that was refunded. */
		double run() {
			long refunded = 0;
			long exact = 0;
			long longest = 1 + (long) (this.limit.periodMicros() * Math.pow(10, -3 * this.random.nextDouble()));
			for (int step = 0; step < STEPS; step++) {
				long now = RefundsContract.this.clock.addAndGet(this.random.nextLong(longest));
				long before = execute(StoreOperation.PEEK, permit(this.limit, this.name, 0)).resetAfterMicros();
				long beforeExactly = this.replayed.resetAfter(now);
				boolean charges = charges(now);
				LimitDecision after = execute(StoreOperation.PEEK, permit(this.limit, this.name, 0));
				assertThat(after.resetAfterMicros()).as("%s, step %d: %s", this.name, step, this.limit)
					.isGreaterThanOrEqualTo(this.replayed.resetAfter(now));
				refunded += charges ? 0 : before - after.resetAfterMicros();
				exact += charges ? 0 : beforeExactly - this.replayed.resetAfter(now);
			}
			return (exact > 0) ? (double) refunded / exact : 1;
		}

		/** Charges or refunds, and returns which. Some charges wait for their turn. */
		private boolean charges(long now) {
			long cost = 1 + this.random.nextLong(this.limit.burst());
			long maxWait = (this.random.nextInt(4) == 0) ? this.limit.periodMicros() : 0;
			PermitRequest permit = new PermitRequest(permit(this.limit, this.name, cost).policyLimit(), this.name, cost,
					maxWait);
			boolean fits = execute(StoreOperation.PEEK, permit).allowed();
			if (this.open.isEmpty() || (this.open.size() < this.most && (fits || this.random.nextInt(10) == 0))) {
				LimitDecision made = execute(fits ? StoreOperation.ACQUIRE : StoreOperation.CHARGE, permit);
				this.open.add(new Open(this.replayed.charge(now, cost), now + made.waitMicros()));
				return true;
			}
			Open ended = this.open.remove((this.random.nextInt(4) == 0) ? this.random.nextInt(this.open.size()) : 0);
			long unused = 1 + this.random.nextLong(ended.charge().cost());
			execute(StoreOperation.REFUND, permit.refund(unused, ended.charge().time(), ended.turn()));
			ended.charge().refund(unused);
			return false;
		}

	}

}
