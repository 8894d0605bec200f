package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.KeyControls.Subject;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.key.Bans;
import io.github.ratelimit.store.RateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The effects of controls on the policies, the callers and the store of this instance.
 * For one thread at a time.
 */
public final class ControlEffects {

	private static final Log logger = LogFactory.getLog(ControlEffects.class);

	private final Policies policies;

	private final Bans bans;

	private final RateLimitStore store;

	private final PolicyChanges changes;

	/**
	 * Creates effects.
	 * @param policies the policies that controls change
	 * @param bans the banned callers
	 * @param store the store, which forgets keys that were reset
	 */
	public ControlEffects(Policies policies, Bans bans, RateLimitStore store) {
		this.policies = policies;
		this.bans = bans;
		this.store = store;
		this.changes = new PolicyChanges(policies);
	}

	/** Replaces configured policies, to which the controls in effect still apply. */
	void configure(Collection<Policy> configured, Collection<ActiveControl> active) {
		this.changes.configure(configured);
		apply(active);
	}

	/** Replaces all controls in effect. */
	void apply(Collection<ActiveControl> active) {
		List<Change> changed = new ArrayList<>();
		List<String> banned = new ArrayList<>();
		Map<Subject, KeyControl> byKey = new HashMap<>();
		for (ActiveControl each : active) {
			if (each.control() instanceof Change change) {
				changed.add(change);
			}
			else if (each.control() instanceof Block block) {
				banned.add(block.caller());
			}
			else if (each.control() instanceof Control.OfKey ofKey) {
				byKey.merge(new Subject(ofKey.policy(), ofKey.key()), effect(each, ofKey), KeyControl::and);
			}
		}
		this.changes.apply(changed);
		this.bans.replace(banned);
		byKey.values().removeIf(KeyControl.NONE::equals);
		this.policies.control(new KeyControls(byKey));
	}

	/** Does what a new control does once. */
	void begin(ActiveControl active) {
		if (active.control() instanceof Reset reset) {
			try {
				this.store.forget(this.policies.get(reset.policy())
					.resetOf(reset.key(), this.policies.controls().of(reset.policy(), reset.key()).limits()));
			}
			catch (IllegalArgumentException ex) {
				logger.debug("A policy that was reset is not known to this instance", ex);
			}
		}
	}

	private KeyControl effect(ActiveControl active, Control.OfKey ofKey) {
		if (ofKey instanceof Grant grant) {
			return new KeyControl(false, List.of(), granted(active, grant));
		}
		if (ofKey instanceof Control.Limits own) {
			return new KeyControl(false, limits(own), null);
		}
		return (ofKey instanceof Ban) ? KeyControl.BAN : KeyControl.NONE;
	}

	private List<Limit> limits(Control.Limits own) {
		try {
			return PolicyChanges.limits(this.policies.get(own.policy()), own.limits());
		}
		catch (IllegalArgumentException ex) {
			logger
				.warn("Limits of a key of policy '" + own.policy() + "' do not fit this instance: " + ex.getMessage());
			return List.of();
		}
	}

	/** Returns a window that begins with the first call and outlasts the grant. */
	private static KeyControl.Grant granted(ActiveControl active, Grant grant) {
		Duration time = Duration.between(active.since(), Objects.requireNonNull(active.until()));
		Rate permits = new Rate(grant.permits(), time.truncatedTo(ChronoUnit.MICROS));
		return new KeyControl.Grant(active.id() + '@' + active.since(), Limit.of(Algorithm.FIXED_WINDOW, permits));
	}

}
