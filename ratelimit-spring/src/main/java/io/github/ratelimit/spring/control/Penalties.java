package io.github.ratelimit.spring.control;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.RateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A listener that bans keys which are denied again and again. All instances count denials
 * in the store, those that a cache decides too, and exactly one of them bans. A ban that
 * was dropped, as there were too many, follows a later denial. Thread-safe.
 */
public final class Penalties implements RateLimitListener {

	private static final Log logger = LogFactory.getLog(Penalties.class);

	/** The keys that callers share, of which none is to blame. */
	private static final Set<String> SHARED_KEYS = Set.of(Policy.EVERYONE, KeyResolvers.MISSING);

	/** How often a key can be banned while its denials, or its earlier bans, count. */
	private static final int TIMES = 1000;

	private volatile Map<String, Penalty> byPolicy;

	private final Counts denials;

	private final Counts bans;

	private final AutomaticControls controls;

	/**
	 * Creates a listener.
	 * @param byPolicy the penalties by the names of policies
	 * @param store the store that counts denials and bans
	 * @param controls sets the bans
	 */
	public Penalties(Map<String, Penalty> byPolicy, RateLimitStore store, AutomaticControls controls) {
		this.byPolicy = Map.copyOf(byPolicy);
		this.denials = new Counts("denials", Penalties::denials, store);
		this.bans = new Counts("bans", (penalty) -> new Rate(TIMES, penalty.memory()), store);
		this.controls = controls;
		replaceAll(byPolicy);
	}

	/**
	 * Replaces all penalties as one change. Denials and bans stay counted.
	 * @param byPolicy the penalties by the names of policies
	 */
	public void replaceAll(Map<String, Penalty> byPolicy) {
		this.denials.configure(byPolicy);
		this.bans.configure(byPolicy);
		this.byPolicy = Map.copyOf(byPolicy);
	}

	/**
	 * Returns the penalties.
	 * @return the penalties by the names of policies
	 */
	public Map<String, Penalty> byPolicy() {
		return this.byPolicy;
	}

	/**
	 * Forgets the denials and bans of a key.
	 * @param policy the policy's name
	 * @param key the key
	 */
	public void forget(String policy, String key) {
		this.denials.forget(policy, key);
		this.bans.forget(policy, key);
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		Map<String, Penalty> penalties = this.byPolicy;
		if (!decision.allowed() && !penalties.isEmpty()) {
			charges.stream()
				.filter((charge) -> penalties.containsKey(charge.policy())
						&& decision.isDeniedBy(charge.policy(), charge.key()) && !SHARED_KEYS.contains(charge.key()))
				.forEach((charge) -> count(charge, Objects.requireNonNull(penalties.get(charge.policy()))));
		}
	}

	private void count(Charge denied, Penalty penalty) {
		long permits = penalty.after().permits();
		ignoringFailures(this.denials.add(denied.policy(), denied.key()).thenAccept((counted) -> {
			if (counted.allowed() && spent(counted) % permits == 0) {
				ban(denied.policy(), denied.key(), penalty);
			}
		}));
	}

	private static long spent(Decision counted) {
		LimitDecision limit = counted.limits().get(0);
		return limit.limit().burst() - limit.remaining();
	}

	private void ban(String policy, String key, Penalty penalty) {
		ignoringFailures(this.bans.add(policy, key).thenAccept((bans) -> {
			long earlier = spent(bans) - 1;
			this.controls.set(new Ban(policy, key), penalty.ban(earlier), () -> {
			});
		}));
	}

	private static Rate denials(Penalty penalty) {
		return new Rate(Math.multiplyExact(penalty.after().permits(), TIMES), penalty.after().period());
	}

	/** A failure of the store loses no more than a count. */
	private static void ignoringFailures(CompletionStage<?> stage) {
		stage.exceptionally((failure) -> {
			logger.debug("A denial could not be counted", failure);
			return null;
		});
	}

	/**
	 * Counts by policy and key. They are kept under names that no policy can have.
	 */
	private static final class Counts {

		private final String kind;

		private final Function<Penalty, Rate> rate;

		private final Policies policies = new Policies(List.of());

		private final RateLimiter limiter;

		Counts(String kind, Function<Penalty, Rate> rate, RateLimitStore store) {
			this.kind = kind;
			this.rate = rate;
			this.limiter = new RateLimiter(this.policies, store, List.of());
		}

		void configure(Map<String, Penalty> byPolicy) {
			this.policies.replaceAll(byPolicy.entrySet()
				.stream()
				.map((entry) -> policy(entry.getKey(), this.rate.apply(entry.getValue())))
				.toList());
		}

		private Policy policy(String name, Rate rate) {
			return new Policy(name, List.of(Limit.of(Algorithm.FIXED_WINDOW, rate)), List.of(Policy.EVERYONE))
				.withOptions(PolicyOptions.STANDARD.sharing(name + '~' + this.kind, 0));
		}

		CompletionStage<Decision> add(String policy, String key) {
			return this.limiter.acquireAsync(Charge.of(policy, key));
		}

		void forget(String policy, String key) {
			if (this.policies.names().contains(policy)) {
				this.limiter.reset(policy, key);
			}
		}

	}

}
