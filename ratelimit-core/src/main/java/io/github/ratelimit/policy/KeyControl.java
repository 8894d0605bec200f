package io.github.ratelimit.policy;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The rules for one key of a policy that an operator sets while the application runs.
 * They take precedence over plans, permits that calls tell and {@link LimitOverrides}.
 * Immutable.
 *
 * @param banned whether all calls of the key are refused
 * @param limits replacements for the policy's limits; empty for none
 * @param grant permits beyond the limits, or {@code null} for none
 */
public record KeyControl(boolean banned, List<Limit> limits, @Nullable Grant grant) {

	/** The control of a key without rules of its own. */
	public static final KeyControl NONE = new KeyControl(false, List.of(), null);

	/** The control of a key that is only banned. */
	public static final KeyControl BAN = new KeyControl(true, List.of(), null);

	/**
	 * Copies the limits.
	 * @param banned whether all calls of the key are refused
	 * @param limits replacements for the policy's limits
	 * @param grant permits beyond the limits, or {@code null} for none
	 */
	public KeyControl {
		limits = List.copyOf(limits);
	}

	/**
	 * Returns this control with the rules of another as well.
	 * @param other the other control, whose limits and grant win
	 * @return the control
	 */
	public KeyControl and(KeyControl other) {
		return new KeyControl(this.banned || other.banned, other.limits.isEmpty() ? this.limits : other.limits,
				(other.grant != null) ? other.grant : this.grant);
	}

	/**
	 * Permits that calls may spend where the limits have no room.
	 *
	 * @param id the name of the count of what is spent, unique among all grants
	 * @param limit the permits, in one window that is no shorter than the grant
	 */
	public record Grant(String id, Limit limit) {

	}

}
