package io.github.ratelimit.spring.control;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;

/**
 * The checks of what an operator writes. Whether the control can be applied,
 * {@link ControlEffects} checks. Thread-safe.
 */
public final class ControlChecks {

	private final Policies policies;

	private final OperatorKeys keys;

	/**
	 * Creates checks.
	 * @param policies the policies that controls may change
	 * @param keys the keys as operators write them
	 */
	public ControlChecks(Policies policies, OperatorKeys keys) {
		this.policies = policies;
		this.keys = keys;
	}

	/**
	 * Returns the key of a policy as calls have it.
	 * @param policy the policy's name
	 * @param key the key as an operator writes it
	 * @return the key
	 * @throws IllegalArgumentException if there is no such policy or the key is not one
	 * of its keys
	 */
	public String key(String policy, String key) {
		return this.keys.of(this.policies.get(policy), key);
	}

	/**
	 * Returns a control with the key as calls have it, or with its digest where the store
	 * needs no more.
	 * @throws IllegalArgumentException if the control is invalid
	 */
	Control check(Control control, ControlEnd end) {
		if (control instanceof Block) {
			return control; // its effect checks the caller
		}
		if (control instanceof Change change) {
			return checked(change);
		}
		if (control instanceof Ban ban) {
			return new Ban(ban.policy(), key(ban.policy(), ban.key()));
		}
		if (control instanceof Grant grant) {
			return checked(grant);
		}
		if (control instanceof Control.Limits own) {
			return new Control.Limits(own.policy(), key(own.policy(), own.key()), own.limits());
		}
		if (control instanceof Pause pause) {
			return checked(pause, end);
		}
		Reset reset = (Reset) control;
		return new Reset(reset.policy(), KeyDigest.inPlaceOf(key(reset.policy(), reset.key())));
	}

	private static Change checked(Change change) {
		if (change.limits().isEmpty() && change.mode() == null && change.enforce() == null
				&& change.onStoreFailure() == null) {
			throw new IllegalArgumentException("a change has limits, a mode, enforce or onStoreFailure");
		}
		if (change.enforce() != null && change.mode() != null && change.mode() != EnforcementMode.ENFORCE) {
			throw new IllegalArgumentException("a change that enforces a share of keys, " + change.enforce()
					+ ", has no other mode: leave one of 'mode' and 'enforce' out");
		}
		return change;
	}

	private Grant checked(Grant grant) {
		if (grant.permits() < 1) {
			throw new IllegalArgumentException("a grant has at least 1 permit, was " + grant.permits());
		}
		return new Grant(grant.policy(), key(grant.policy(), grant.key()), grant.permits());
	}

	/** Takes any key, as those of outbound calls have no words. */
	private Pause checked(Pause pause, ControlEnd end) {
		this.policies.get(pause.policy());
		if (end.equals(ControlEnd.NEVER)) {
			throw new IllegalArgumentException("a pause lasts for a time");
		}
		return pause;
	}

}
