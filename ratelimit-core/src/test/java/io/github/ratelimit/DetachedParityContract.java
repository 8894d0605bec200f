package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract that tokens of reservations correct the same as the reservations
 * themselves, on random traces: one key is corrected by reservations, another by tokens.
 * A token corrects the sum of several charges of a policy and key, so these all cost more
 * or all less than reserved here. {@code -Dtest.seed} repeats a run.
 */
public abstract class DetachedParityContract {

	private static final long SEED = Long.getLong("test.seed", System.nanoTime());

	private static final int STEPS = Integer.getInteger("test.steps", 60);

	private static final TokenTerms TERMS = TokenTerms.expiringAfter(Duration.ofDays(60));

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	/**
	 * Creates a store on a clock.
	 * @param clock microseconds since 1970
	 * @return a store that shares its counts with others of this test, if it can
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	@ParameterizedTest
	@MethodSource
	void correctsAsInTheProcess(Policy policy) {
		Policies policies = new Policies(List.of(policy));
		RateLimiter one = new RateLimiter(policies, store(this.clock::get), List.of());
		RateLimiter other = new RateLimiter(policies, store(this.clock::get), List.of());
		for (int trace = 0; trace < 3; trace++) {
			new Trace(one, other, policy, new Random(SEED + trace), trace).run();
		}
	}

	static Stream<Policy> correctsAsInTheProcess() {
		Stream<Policy> single = Algorithm.rates()
			.filter((algorithm) -> algorithm != Algorithm.LEAKY_BUCKET)
			.map((algorithm) -> policy("20/10s " + algorithm.id()));
		return Stream.concat(single,
				Stream.of(policy("20/10s leaky-bucket burst 15"), policy("30/1m align minute"),
						policy("25/1d align day zone Asia/Tokyo"), policy("20/10s", "40/1m sliding-window-log"),
						policy("20/10s", "30/10s fixed-window", "40/1m", "60/2m sliding-window-counter"),
						policy("20/10s").withMode(EnforcementMode.SHADOW, List.of()),
						policy("20/10s").withMode(EnforcementMode.ENFORCE, limits("7/10s", "12/10s fixed-window"))));
	}

	private static Policy policy(String... limits) {
		return new Policy("policy", limits(limits), List.of("principal"));
	}

	private static List<Limit> limits(String... limits) {
		return Stream.of(limits)
			.map((limit) -> Limit.parse(limit,
					limit.contains("align") ? Algorithm.FIXED_WINDOW : Algorithm.TOKEN_BUCKET))
			.toList();
	}

	/** A trace of equal calls of two keys. */
	private final class Trace {

		private final RateLimiter one;

		private final RateLimiter other;

		private final Policy policy;

		private final Random random;

		private final String key;

		private final List<Reservation> reservations = new ArrayList<>();

		private final List<String> tokens = new ArrayList<>();

		private Trace(RateLimiter one, RateLimiter other, Policy policy, Random random, int trace) {
			this.one = one;
			this.other = other;
			this.policy = policy;
			this.random = random;
			this.key = "key-" + trace + "-";
		}

		private void run() {
			for (int step = 0; step < STEPS; step++) {
				DetachedParityContract.this.clock.addAndGet(this.random.nextInt(1_500_000));
				if (this.random.nextBoolean()) {
					reserve();
				}
				else if (!this.tokens.isEmpty()) {
					settle(this.random.nextInt(this.tokens.size()));
				}
				assertThat(decided("token")).as("seed %d, %s", SEED, this.policy.limits())
					.isEqualTo(decided("process"));
			}
		}

		private void reserve() {
			long cost = 1L + this.random.nextInt(6);
			boolean twice = this.random.nextInt(4) == 0;
			Reservation inProcess = this.one.reserve(charges("process", cost, twice));
			Reservation detached = this.one.reserve(charges("token", cost, twice));
			assertThat(detached.decision().allowed()).isEqualTo(inProcess.decision().allowed());
			if (detached.decision().allowed()) {
				this.reservations.add(inProcess);
				this.tokens.add(this.one.detach(detached, TERMS));
			}
		}

		private void settle(int index) {
			Reservation reservation = this.reservations.remove(index);
			String token = this.tokens.remove(index);
			if (this.random.nextBoolean()) {
				this.one.refund(reservation);
				assertThat(this.other.refund(token)).isEqualTo(Settlement.SETTLED);
			}
			else {
				boolean isOnlyCharge = reservation.charges().size() == 1;
				long actual = isOnlyCharge ? this.random.nextInt(9) : 6 + this.random.nextInt(3);
				this.one.adjust(reservation, actual);
				assertThat(this.other.adjust(token, actual)).isEqualTo(Settlement.SETTLED);
			}
		}

		private List<Charge> charges(String side, long cost, boolean twice) {
			Charge charge = new Charge("policy", this.key + side, cost);
			return twice ? List.of(charge, new Charge("policy", this.key + side, 1)) : List.of(charge);
		}

		private List<List<Long>> decided(String side) {
			Decision decision = this.one.peek(List.of(new Charge("policy", this.key + side, 1)));
			return Stream.concat(decision.limits().stream(), decision.shadows().stream()).map(this::numbers).toList();
		}

		private List<Long> numbers(LimitDecision limit) {
			return List.of(limit.remaining(), limit.retryAfterMicros(), limit.resetAfterMicros());
		}

	}

}
