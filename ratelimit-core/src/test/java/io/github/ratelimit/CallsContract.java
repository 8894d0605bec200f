package io.github.ratelimit;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of a limiter on any store: random calls of random policies are decided,
 * wait and are corrected as {@link CallDefinition} defines, in every number and every
 * header. {@code -Dtest.decisions=1000000} for a long run, {@code -Dtest.seed} to repeat
 * one.
 */
public abstract class CallsContract {

	private static final System.Logger LOGGER = System.getLogger(CallsContract.class.getName());

	private static final int DECISIONS = Integer.getInteger("test.decisions", 2_000);

	private static final int DECISIONS_OF_POLICIES = 200;

	private static final long START = 1_790_000_000_000_000L;

	private long now;

	/**
	 * Returns the store under test.
	 * @return a store, which may have counts of other policies
	 */
	protected abstract RateLimitStore store();

	/**
	 * Sets the clock of the store.
	 * @param micros microseconds since 1970; for new policies, it may be set back
	 */
	protected abstract void setClock(long micros);

	/**
	 * Returns whether the store remembers denials. They report what remained when the
	 * store was last asked.
	 * @return whether it may decide without its counts
	 */
	protected boolean remembersDenials() {
		return false;
	}

	/**
	 * Returns for how long policies are used, in real time.
	 * @return a time after which the store may have forgotten their counts
	 */
	protected Duration longestUse() {
		return Duration.ofDays(1);
	}

	@Test
	void decidesAsDefined() {
		long first = Long.getLong("test.seed", System.nanoTime());
		int decisions = 0;
		int proofs = 0;
		for (long seed = first; decisions < DECISIONS; seed++) {
			Random random = new Random(seed);
			List<Policy> policies = new RandomPolicies(random, "p" + seed + "-").next();
			moveOn(START - this.now);
			ComparedCalls calls = calls(policies, random);
			long end = System.nanoTime() + longestUse().toNanos();
			for (int next = 0; next < DECISIONS_OF_POLICIES && System.nanoTime() < end; next++) {
				calls.next("seed " + seed + ", decision " + decisions);
				decisions++;
			}
			proofs += calls.proofs();
		}
		LOGGER.log(Level.INFO, "{0}: {1} decisions as defined, and {2} proofs of a retry-after, seed {3}",
				getClass().getSimpleName(), Integer.toString(decisions), Integer.toString(proofs),
				Long.toString(first));
		assertThat(proofs).isPositive();
	}

	private ComparedCalls calls(List<Policy> policies, Random random) {
		RateLimitStore store = store();
		Policies known = new Policies(policies);
		StoreFallback fallback = new StoreFallback(known, store, new MemoryRateLimitStore(1));
		DecisionEngine engine = new DecisionEngine(known, store, fallback, List.of(), LimitOverrides.NONE);
		RateLimiter limiter = new RateLimiter(known, engine,
				new QueuedTurns(known, new CompositeListener(List.of()), QueuedTurns.Sleeper.AT_TURNS));
		return new ComparedCalls(limiter, policies, random, this);
	}

	/** Returns the time of the store. */
	final long now() {
		return this.now;
	}

	/** Moves the time of the store on. */
	final void moveOn(long micros) {
		this.now += micros;
		setClock(this.now);
	}

}
