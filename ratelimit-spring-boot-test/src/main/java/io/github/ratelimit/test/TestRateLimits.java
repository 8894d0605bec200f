package io.github.ratelimit.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.spring.control.Controls;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a test with {@link AutoConfigureRateLimits}: their clock and their
 * counts. It is a bean to inject into a test class or, with {@code @Autowired}, into a
 * test method.
 *
 * <p>
 * Keys are written as at {@code /actuator/ratelimits}: {@code client-ip:127.0.0.1},
 * {@code principal:alice}, {@code header:x-api-key:4711}, {@code bean:tenant:acme},
 * {@code expression:42}, {@code global}. Listeners and meters do not notice what is done
 * here. Every method throws an {@link IllegalArgumentException} if the policy does not
 * exist or has no such keys.
 */
public final class TestRateLimits {

	/** A cost above every burst. */
	private static final long LARGEST = 1L << 52;

	private final TestStore store;

	private final Policies policies;

	private final Controls controls;

	private final RateLimiter limiter;

	private final KeyUses uses;

	/**
	 * Creates the limits of a test.
	 * @param limiter charges the queue of the store, unnoticed by listeners
	 * @param uses the keys that calls may have
	 */
	TestRateLimits(TestStore store, Policies policies, Controls controls, RateLimiter limiter, KeyUses uses) {
		this.store = store;
		this.policies = policies;
		this.uses = uses;
		this.controls = controls;
		this.limiter = limiter;
	}

	/**
	 * Moves the clock of the limits on.
	 * @param duration the time to pass, at least zero
	 */
	public void advance(Duration duration) {
		this.store.clock().advance(duration);
		this.controls.refresh();
	}

	/**
	 * Moves the clock of the limits on.
	 * @param duration the time to pass, with a unit, such as {@code 500ms}, {@code 1m} or
	 * {@code 1d}
	 */
	public void advance(String duration) {
		advance(Durations.parse(duration));
	}

	/**
	 * Returns how far the clock of the limits has moved in this test. {@link #advance}
	 * moves it, and so do calls that wait for their turn.
	 * @return at least zero
	 */
	public Duration elapsed() {
		return this.store.clock().elapsed();
	}

	/**
	 * Spends all permits of a key, as its own calls could, so that its next call is
	 * denied, whatever permits it tells. If the policy lets calls wait, the queue is
	 * filled too.
	 * @param policy the policy's name
	 * @param key the key to exhaust
	 * @throws IllegalArgumentException if no call charges the policy by such a key. If a
	 * bean has the {@link RateLimiter}, any key is accepted
	 * @throws IllegalStateException if the policy denies nothing, as in shadow mode
	 */
	public void exhaust(String policy, String key) {
		exhaust(policy, key, null);
	}

	/**
	 * Spends all permits of a key whose caller has a plan, as
	 * {@link #exhaust(String, String)} does.
	 * @param policy the policy's name
	 * @param key the key to exhaust
	 * @param plan the name of the caller's plan, which only calls know; {@code null} for
	 * none
	 * @throws IllegalArgumentException if no call charges the policy by such a key, or
	 * the policy has no such plan
	 * @throws IllegalStateException if the policy denies nothing, as in shadow mode
	 */
	public void exhaust(String policy, String key, @Nullable String plan) {
		String canonical = canonical(policy, key);
		this.uses.require(this.policies.get(policy), canonical);
		requirePlan(policy, plan);
		OwnPermits own = this.policies.get(policy).callers().permits();
		Charge most = new Charge(policy, canonical, 0).withPlan(plan).withPermits((own != null) ? own.most() : null);
		for (long cost = LARGEST; cost > 0;) {
			cost = tryAcquire(most.costing(cost)) ? cost : cost / 2;
		}
	}

	/**
	 * Returns the permits that a key can spend now.
	 * @param policy the policy's name
	 * @param key the key
	 * @return the fewest that any of the policy's limits has left
	 * @throws IllegalStateException if the policy limits nothing
	 */
	public long remaining(String policy, String key) {
		return remaining(policy, key, null);
	}

	/**
	 * Returns the permits that a key whose caller has a plan can spend now.
	 * @param policy the policy's name
	 * @param key the key
	 * @param plan the name of the caller's plan, which only calls know; {@code null} for
	 * none
	 * @return the fewest that any of the plan's limits has left
	 * @throws IllegalArgumentException if the policy has no such plan
	 * @throws IllegalStateException if the policy limits nothing
	 */
	public long remaining(String policy, String key, @Nullable String plan) {
		requirePlan(policy, plan);
		Decision decision = this.limiter.peek(List.of(new Charge(policy, canonical(policy, key), 0).withPlan(plan)));
		List<LimitDecision> limits = decision.limits().isEmpty() ? decision.shadows() : decision.limits();
		return limits.stream()
			.mapToLong(LimitDecision::remaining)
			.min()
			.orElseThrow(() -> new IllegalStateException("policy '" + policy + "' limits nothing"));
	}

	/**
	 * Starts afresh, as before each test: with no permits spent, without controls of
	 * operators, and with the clock at its start.
	 */
	public void reset() {
		this.controls.active().forEach((control) -> this.controls.lift(control.id()));
		this.store.reset();
		this.controls.refresh();
	}

	/**
	 * Resets the count of a key.
	 * @param policy the policy's name
	 * @param key the key
	 */
	public void reset(String policy, String key) {
		this.limiter.reset(policy, canonical(policy, key));
	}

	private void requirePlan(String policy, @Nullable String plan) {
		Set<String> plans = this.policies.get(policy).plans().keySet();
		if (plan != null && !plans.contains(plan)) {
			throw new IllegalArgumentException("policy '" + policy + "' has no plan '" + plan + "', but "
					+ new TreeSet<>(plans) + ". Its own limits need no plan");
		}
	}

	private String canonical(String policy, String key) {
		return this.uses.canonical(this.policies.get(policy), key);
	}

	private boolean tryAcquire(Charge charge) {
		try {
			Decision decision = this.limiter.reserve(List.of(charge)).decision();
			if (decision.limits().isEmpty()) {
				throw new IllegalStateException("policy '" + charge.policy()
						+ "' cannot be exhausted, as it denies nothing: it is off or in shadow mode");
			}
			return decision.allowed();
		}
		catch (UnsatisfiableCostException ex) {
			return false;
		}
	}

}
