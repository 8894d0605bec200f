package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.key.Bans;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.PermitRequest;
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

	private final Consumer<ControlEvent> listener;

	/**
	 * Creates effects.
	 * @param policies the policies that controls change
	 * @param bans the banned callers
	 * @param store the store, which forgets keys that were reset
	 */
	public ControlEffects(Policies policies, Bans bans, RateLimitStore store) {
		this(policies, bans, store, (event) -> {
		});
	}

	/**
	 * Creates effects that are reported.
	 * @param policies the policies that controls change
	 * @param bans the banned callers
	 * @param store the store, which forgets keys that were reset
	 * @param listener receives what happens to controls
	 */
	public ControlEffects(Policies policies, Bans bans, RateLimitStore store, Consumer<ControlEvent> listener) {
		this.policies = policies;
		this.bans = bans;
		this.store = store;
		this.changes = new PolicyChanges(policies);
		this.listener = listener;
	}

	/** Replaces configured policies, to which the controls in effect still apply. */
	Map<String, String> configure(Collection<Policy> configured, Collection<ActiveControl> active) {
		this.changes.configure(configured);
		return apply(active);
	}

	/** Returns the policies that controls change, as they are configured. */
	Map<String, Policy> changed() {
		return this.changes.configured();
	}

	/**
	 * Requires that a control can be applied.
	 * @throws IllegalArgumentException if it cannot, as its values are invalid or do not
	 * fit the policy
	 */
	void check(ActiveControl active) {
		new Effects().add(active);
	}

	/**
	 * Replaces all controls in effect. Returns the identifiers of those that cannot be
	 * applied, which change nothing, and the reasons.
	 */
	Map<String, String> apply(Collection<ActiveControl> active) {
		Map<String, String> skipped = new TreeMap<>();
		Effects effects = new Effects();
		for (ActiveControl each : active) {
			try {
				effects.add(each);
			}
			catch (IllegalArgumentException ex) {
				skipped.put(each.id(), String.valueOf(ex.getMessage()));
			}
		}
		this.changes.apply(effects.changes);
		this.bans.replace(effects.blocked);
		this.policies.control(new KeyControls(effects.byKey()));
		return skipped;
	}

	/** Does what a new control does once. */
	void begin(ActiveControl active) {
		if (active.control() instanceof Reset reset) {
			try {
				this.store.forget(countsOf(reset));
			}
			catch (IllegalArgumentException ex) {
				logger.debug("A policy that was reset is not known to this instance", ex);
			}
		}
	}

	/** Matches by the digest of the key, as the store of controls keeps no more of it. */
	private Predicate<PermitRequest> countsOf(Reset reset) {
		Set<String> counters = this.policies.get(reset.policy())
			.resetOf(reset.key(), List.of())
			.permits()
			.stream()
			.map((permit) -> permit.policyLimit().counter())
			.collect(Collectors.toSet());
		String digest = KeyDigest.inPlaceOf(reset.key());
		return (permit) -> counters.contains(permit.policyLimit().counter())
				&& KeyDigest.inPlaceOf(permit.key()).equals(digest);
	}

	/** Reports that a penalty has set a control, or that a control has ended. */
	void report(ControlEvent event) {
		ActiveControl active = event.control();
		if (active == null
				|| (active.origin().source() != Origin.Source.UPSTREAM && !(active.control() instanceof Reset))) {
			logger.info(text(event));
			try {
				this.listener.accept(event);
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A listener of events of controls failed", ex);
			}
		}
	}

	private static String text(ControlEvent event) {
		ActiveControl active = event.control();
		String what = (event.kind() == ControlEvent.Kind.SET) ? "was set by a penalty" : "has ended";
		if (active == null) {
			return "The control '" + ControlText.printable(event.id()) + "' " + what;
		}
		String policy = (active.control() instanceof Control.OfKey ofKey) ? " of policy '" + ofKey.policy() + "'" : "";
		String digest = (active.digest() != null) ? " for " + active.digest() : "";
		String until = (event.kind() == ControlEvent.Kind.SET) ? " until " + active.until() : "";
		return "The control '" + event.id() + "'" + policy + digest + ' ' + what + until;
	}

	/** The effects of several controls. */
	private final class Effects {

		private final List<Change> changes = new ArrayList<>();

		private final List<String> blocked = new ArrayList<>();

		private final Map<Subject, KeyControl> byKey = new HashMap<>();

		/** The keys that penalties have banned. */
		private final List<Subject> penalized = new ArrayList<>();

		/** Adds the whole effect of a control, or throws and adds nothing. */
		void add(ActiveControl active) {
			if (active.control() instanceof Change change) {
				PolicyChanges.changed(ControlEffects.this.policies.get(change.policy()), change);
				this.changes.add(change);
			}
			else if (active.control() instanceof Block block) {
				Bans.check(block.caller());
				this.blocked.add(block.caller());
			}
			else if (active.control() instanceof Control.OfKey ofKey) {
				KeyControl effect = effect(active, ofKey);
				Subject subject = new Subject(ofKey.policy(), ofKey.key());
				if (ofKey instanceof Ban && active.origin().source() == Origin.Source.PENALTY) {
					this.penalized.add(subject);
				}
				else if (!effect.equals(KeyControl.NONE)) {
					this.byKey.merge(subject, effect, KeyControl::and);
				}
			}
		}

		/**
		 * Returns the controls by key, under the policies in effect. Bans of penalties
		 * follow from limits, so that none applies to a key whose limits are in shadow.
		 */
		Map<Subject, KeyControl> byKey() {
			Map<String, Policy> known = ControlEffects.this.policies.all()
				.stream()
				.collect(Collectors.toMap(Policy::name, Function.identity()));
			for (Subject subject : this.penalized) {
				Policy policy = known.get(subject.policy());
				if (policy == null || policy.forKey(subject.key()).isEnforced()) {
					this.byKey.merge(subject, KeyControl.BAN, KeyControl::and);
				}
			}
			return this.byKey;
		}

		private KeyControl effect(ActiveControl active, Control.OfKey ofKey) {
			if (ofKey instanceof Grant grant) {
				return new KeyControl(false, List.of(), granted(active, grant));
			}
			if (ofKey instanceof Control.Limits own) {
				Policy policy = ControlEffects.this.policies.get(own.policy());
				return new KeyControl(false, PolicyChanges.limits(policy, own.limits()), null);
			}
			return (ofKey instanceof Ban ban) ? banned(ban) : KeyControl.NONE;
		}

		private static KeyControl banned(Ban ban) {
			if (ban.key().equals(Policy.EVERYONE) || ban.key().equals(KeyResolvers.MISSING)) {
				throw new IllegalArgumentException(
						"the key '" + ban.key() + "' is not one caller: change the policy instead");
			}
			return KeyControl.BAN;
		}

		/** Returns a window that begins with the first call and outlasts the grant. */
		private static KeyControl.Grant granted(ActiveControl active, Grant grant) {
			Instant until = active.until();
			if (until == null) {
				throw new IllegalArgumentException("a grant lasts for a time");
			}
			Duration time = Duration.between(active.since(), until);
			Rate permits = new Rate(grant.permits(), time.truncatedTo(ChronoUnit.MICROS));
			return new KeyControl.Grant(active.id() + '@' + active.since(), Limit.of(Algorithm.FIXED_WINDOW, permits));
		}

	}

}
