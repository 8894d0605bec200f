package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A request for permits: one policy, one key, one cost. Immutable.
 */
public final class Charge {

	private final String policy;

	private final String key;

	private final long cost;

	private final @Nullable Duration maxWait;

	private final @Nullable String plan;

	private final @Nullable Long permits;

	private final boolean exempt;

	/**
	 * Creates a charge.
	 * @param policy the policy's name
	 * @param key the key to charge; any text that is not blank, which is hashed before it
	 * leaves the process
	 * @param cost permits to spend, at least 0; 0 checks without charging
	 * @param maxWait how long the call may wait for its turn or a permit, at most 366
	 * days; {@code null} for the policy's own bound
	 * @param plan the name of the caller's plan; {@code null} or a name that is not in
	 * the policy for the policy's own limits
	 */
	public Charge(String policy, String key, long cost, @Nullable Duration maxWait, @Nullable String plan) {
		this(policy, key, cost, maxWait, plan, null, false);
	}

	/**
	 * Creates a charge with the policy's own bound on waiting.
	 * @param policy the policy's name
	 * @param key the key to charge
	 * @param cost permits to spend, at least 0
	 */
	public Charge(String policy, String key, long cost) {
		this(policy, key, cost, null, null, null, false);
	}

	@SuppressWarnings("checkstyle:ParameterNumber")
	private Charge(String policy, String key, long cost, @Nullable Duration maxWait, @Nullable String plan,
			@Nullable Long permits, boolean exempt) {
		this.policy = Objects.requireNonNull(policy);
		this.key = Objects.requireNonNull(key);
		this.cost = cost;
		this.maxWait = maxWait;
		this.plan = plan;
		this.permits = permits;
		this.exempt = exempt;
		if (key.isBlank()) {
			throw new IllegalArgumentException("'key' must not be blank, was '" + key + "'; use '" + Policy.EVERYONE
					+ "' to count all callers together");
		}
		if (cost < 0) {
			throw new IllegalArgumentException("'cost' must not be negative, was " + cost);
		}
		if (permits != null && permits < 1) {
			throw new IllegalArgumentException("'permits' must be at least 1, was " + permits);
		}
		if (maxWait != null) {
			PolicyOptions.requireWait(maxWait);
		}
	}

	/**
	 * Creates a charge of one permit.
	 * @param policy the policy's name
	 * @param key the key to charge
	 * @return the charge
	 */
	public static Charge of(String policy, String key) {
		return new Charge(policy, key, 1);
	}

	/**
	 * Creates the charge of a caller that a policy does not limit. It charges nothing.
	 * @param policy the policy's name
	 * @return the charge
	 */
	public static Charge exempt(String policy) {
		return new Charge(policy, "exempt", 0, null, null, null, true);
	}

	/**
	 * Returns this charge with another maximum wait.
	 * @param maxWait how long the call may wait for its turn; zero denies it at once
	 * @return the charge
	 */
	public Charge waitingUpTo(Duration maxWait) {
		return new Charge(this.policy, this.key, this.cost, maxWait, this.plan, this.permits, this.exempt);
	}

	/**
	 * Returns this charge for a caller with a plan.
	 * @param plan the plan's name
	 * @return the charge
	 */
	public Charge withPlan(@Nullable String plan) {
		return (plan == null && this.plan == null) ? this
				: new Charge(this.policy, this.key, this.cost, this.maxWait, plan, this.permits, this.exempt);
	}

	/**
	 * Returns this charge for a caller whose limit has a number of permits of its own.
	 * Algorithm, period and a burst that was set stay those of the policy or plan.
	 * @param permits permits per period, at least 1; above the policy's ceiling, that
	 * counts. {@code null} for the number of the policy or plan, which also counts if the
	 * policy has no {@linkplain io.github.ratelimit.policy.CallerSelectors#permits
	 * permits} from calls
	 * @return the charge
	 */
	public Charge withPermits(@Nullable Long permits) {
		return (permits == null && this.permits == null) ? this
				: new Charge(this.policy, this.key, this.cost, this.maxWait, this.plan, permits, this.exempt);
	}

	/**
	 * Returns this charge with another cost.
	 * @param cost permits to spend, at least 0
	 * @return the charge
	 */
	public Charge costing(long cost) {
		return (cost == this.cost) ? this
				: new Charge(this.policy, this.key, cost, this.maxWait, this.plan, this.permits, this.exempt);
	}

	/** Returns policy and key, which are charged together. */
	Subject subject() {
		return new Subject(this.policy, this.key);
	}

	/**
	 * Returns the policy to charge.
	 * @return the policy's name
	 */
	public String policy() {
		return this.policy;
	}

	/**
	 * Returns the key to charge.
	 * @return any text that is not blank
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the permits to spend.
	 * @return at least 0
	 */
	public long cost() {
		return this.cost;
	}

	/**
	 * Returns how long the call may wait for its turn.
	 * @return at most 366 days, or {@code null} for the policy's own bound
	 */
	public @Nullable Duration maxWait() {
		return this.maxWait;
	}

	/**
	 * Returns the name of the caller's plan.
	 * @return a name, or {@code null} for the policy's own limits
	 */
	public @Nullable String plan() {
		return this.plan;
	}

	/**
	 * Returns the caller's own number of permits.
	 * @return permits per period, at least 1, or {@code null} for that of the policy or
	 * plan
	 */
	public @Nullable Long permits() {
		return this.permits;
	}

	/**
	 * Returns whether the policy does not limit the caller.
	 * @return whether nothing is charged
	 */
	public boolean exempt() {
		return this.exempt;
	}

	@Override
	public boolean equals(Object other) {
		return this == other || (other instanceof Charge that && this.policy.equals(that.policy)
				&& this.key.equals(that.key) && this.cost == that.cost && Objects.equals(this.maxWait, that.maxWait)
				&& Objects.equals(this.plan, that.plan) && Objects.equals(this.permits, that.permits)
				&& this.exempt == that.exempt);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.policy, this.key, this.cost, this.maxWait, this.plan, this.permits, this.exempt);
	}

	@Override
	public String toString() {
		return "Charge[policy=" + this.policy + ", key=" + this.key + ", cost=" + this.cost + ", maxWait="
				+ this.maxWait + ", plan=" + this.plan + ", permits=" + this.permits + ", exempt=" + this.exempt + ']';
	}

}
