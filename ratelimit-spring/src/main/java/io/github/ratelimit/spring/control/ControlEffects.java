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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.key.Bans;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

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

	private final BiConsumer<String, String> penalties;

	/** The policies that configuration no longer has, and that stay until a restart. */
	private Set<String> removed = Set.of();

	private Object edition = new Object();

	/**
	 * Creates effects.
	 * @param policies the policies that controls change
	 * @param bans the banned callers
	 * @param store the store, which forgets keys that were reset
	 * @param listener receives what happens to controls
	 * @param penalties forgets what penalties have counted of a policy and key
	 */
	public ControlEffects(Policies policies, Bans bans, RateLimitStore store, Consumer<ControlEvent> listener,
			BiConsumer<String, String> penalties) {
		this.policies = policies;
		this.bans = bans;
		this.store = store;
		this.changes = new PolicyChanges(policies);
		this.listener = listener;
		this.penalties = penalties;
	}

	/** Has a penalty whose ban was lifted forget what it has counted of the key. */
	void pardon(ActiveControl lifted) {
		if (lifted.origin().source() == Origin.Source.PENALTY && lifted.control() instanceof Ban ban) {
			pardon(ban.policy(), ban.key());
		}
	}

	/** Forgets the denials and bans that a penalty has counted of a key. */
	void pardon(String policy, String key) {
		this.penalties.accept(policy, key);
	}

	/**
	 * Replaces configured policies. The controls in effect are to be applied again.
	 * @param removed the policies that configuration no longer has
	 */
	void configure(Collection<Policy> configured, Set<String> removed) {
		this.removed = Set.copyOf(removed);
		this.changes.configure(configured);
	}

	/**
	 * Returns whether a policy has been added or replaced since controls were applied.
	 */
	@SuppressWarnings("ReferenceEquality") // of what changes each time
	boolean isOutdated() {
		return this.policies.edition() != this.edition;
	}

	/** Returns the policies that controls change, as they are configured. */
	Map<String, Policy> changed() {
		return this.changes.configured();
	}

	/**
	 * Returns the policy of a name.
	 * @throws IllegalArgumentException if there is none, or configuration no longer has
	 * it
	 */
	Policy policy(String name) {
		if (this.removed.contains(name)) {
			throw new IllegalArgumentException("the policy '" + name + "' was removed from the configuration");
		}
		return this.policies.get(name);
	}

	/** Returns the policies that configuration has. */
	Stream<Policy> policies() {
		return this.policies.all().stream().filter((policy) -> !this.removed.contains(policy.name()));
	}

	/**
	 * Requires that a control can be applied.
	 * @throws IllegalArgumentException if it cannot, as its values are invalid or do not
	 * fit the policy, or there is no such policy
	 */
	void check(ActiveControl active) {
		new Effects().add(active);
	}

	/**
	 * Replaces all controls in effect. Returns the identifiers of those that cannot be
	 * applied, which change nothing, and the reasons.
	 */
	Map<String, String> apply(Collection<ActiveControl> active) {
		Effects effects = new Effects();
		Map<String, String> skipped = effects.addAll(active);
		this.changes.apply(effects.changes);
		this.bans.replace(effects.blocked);
		this.policies.control(new KeyControls(effects.byKey()));
		this.edition = this.policies.edition();
		return skipped;
	}

	/**
	 * Returns the identifiers of controls without an effect on policies that cannot be
	 * applied, and the reasons.
	 */
	Map<String, String> unfit(Collection<ActiveControl> active) {
		return new Effects().addAll(active);
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
		Set<String> counters = policy(reset.policy()).resetOf(reset.key(), List.of())
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

	/** Logs that a control that was waiting is in effect on this instance. */
	void reportBegin(ActiveControl active) {
		logger.info(text(active, "is in effect now", active.until()));
	}

	private static String text(ControlEvent event) {
		ActiveControl active = event.control();
		boolean isSet = event.kind() == ControlEvent.Kind.SET;
		String what = isSet ? "was set by a penalty" : "has ended";
		return (active != null) ? text(active, what, isSet ? active.until() : null)
				: "The control '" + ControlText.printable(event.id()) + "' " + what;
	}

	private static String text(ActiveControl active, String what, @Nullable Instant end) {
		String policy = (active.control().policy() != null) ? " of policy '" + active.control().policy() + "'" : "";
		String digest = (active.digest() != null) ? " for " + active.digest() : "";
		String until = (end != null) ? " until " + end : "";
		return "The control '" + active.id() + "'" + policy + digest + ' ' + what + until;
	}

	/** The effects of several controls. */
	private final class Effects {

		private final List<Change> changes = new ArrayList<>();

		private final List<String> blocked = new ArrayList<>();

		private final Map<Subject, KeyControl> byKey = new HashMap<>();

		/** The bans of penalties. */
		private final List<Ban> penalized = new ArrayList<>();

		/** Adds what can be applied, and returns the reasons why others cannot. */
		Map<String, String> addAll(Collection<ActiveControl> active) {
			Map<String, String> skipped = new TreeMap<>();
			for (ActiveControl each : active) {
				try {
					add(each);
				}
				catch (IllegalArgumentException ex) {
					skipped.put(each.id(), String.valueOf(ex.getMessage()));
				}
			}
			return skipped;
		}

		/** Adds the whole effect of a control, or throws and adds nothing. */
		void add(ActiveControl active) {
			Control control = active.control();
			if (control instanceof Change change) {
				PolicyChanges.changed(policy(change.policy()), change);
				this.changes.add(change);
			}
			else if (control instanceof Block block) {
				Bans.check(block.caller());
				this.blocked.add(block.caller());
			}
			else if (control instanceof Ban ban) {
				ban(ban, active.origin());
			}
			else if (control instanceof Control.Limits own) {
				add(own, new KeyControl(false, PolicyChanges.limits(policy(own.policy()), own.limits()), null));
			}
			else if (control instanceof Grant grant) {
				policy(grant.policy());
				add(grant, new KeyControl(false, List.of(), granted(active, grant)));
			}
			else if (control instanceof Pause pause) {
				policy(pause.policy());
				time(active);
			}
		}

		private void add(Control.OfKey control, KeyControl effect) {
			this.byKey.merge(new Subject(control.policy(), control.key()), effect, KeyControl::and);
		}

		private void ban(Ban ban, Origin origin) {
			policy(ban.policy());
			if (ban.key().equals(Policy.EVERYONE) || ban.key().equals(KeyResolvers.MISSING)) {
				throw new IllegalArgumentException(
						"the key '" + ban.key() + "' is not one caller: change the policy instead");
			}
			if (origin.source() == Origin.Source.PENALTY) {
				this.penalized.add(ban);
			}
			else {
				add(ban, KeyControl.BAN);
			}
		}

		/** Returns a window that begins with the first call and outlasts the grant. */
		private static KeyControl.Grant granted(ActiveControl active, Grant grant) {
			if (grant.permits() < 1) {
				throw new IllegalArgumentException("a grant has at least 1 permit, was " + grant.permits());
			}
			Rate permits = new Rate(grant.permits(), time(active).truncatedTo(ChronoUnit.MICROS));
			return new KeyControl.Grant(active.id() + '@' + active.since(), Limit.of(Algorithm.FIXED_WINDOW, permits));
		}

		/** Returns how long a control lasts that must have an end. */
		private static Duration time(ActiveControl active) {
			Instant until = active.until();
			if (until == null) {
				throw new IllegalArgumentException("a " + active.control().kind() + " lasts for a time");
			}
			return Duration.between(active.begin(), until);
		}

		/**
		 * Returns the controls by key, under the policies in effect. Bans of penalties
		 * follow from limits, so that none applies to a key whose limits are in shadow.
		 */
		Map<Subject, KeyControl> byKey() {
			Map<String, Policy> known = ControlEffects.this.policies.all()
				.stream()
				.collect(Collectors.toMap(Policy::name, Function.identity()));
			for (Ban ban : this.penalized) {
				Policy policy = known.get(ban.policy());
				if (policy == null || policy.forKey(ban.key()).isEnforced()) {
					add(ban, KeyControl.BAN);
				}
			}
			return this.byKey;
		}

	}

}
