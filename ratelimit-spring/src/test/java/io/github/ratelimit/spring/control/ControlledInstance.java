package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * An instance of an application with the policies {@code api}, by principal, and
 * {@code site}, by address and with a penalty after 20 denials, each {@code 2/1h}.
 */
public final class ControlledInstance implements AutoCloseable {

	private final Policies policies = new Policies(
			List.of(policy("api", "principal"), policy("site", "client-ip"), policy("all", "global")));

	private final KeyResolvers keys = TestResolvers.create();

	private final RateLimiter limiter;

	private final Controls controls;

	private final Queue<ControlEvent> events = new ConcurrentLinkedQueue<>();

	private final Queue<Penalties> forgetting = new ConcurrentLinkedQueue<>();

	/**
	 * Creates an instance.
	 * @param counts the store of counts
	 * @param store the store of controls
	 */
	public ControlledInstance(RateLimitStore counts, ControlStore store) {
		Penalty penalty = new Penalty(new Rate(20, Duration.ofMinutes(1)), Duration.ofMinutes(10), 2,
				Duration.ofDays(1));
		Penalties penalties = new Penalties(Map.of("site", penalty), counts, new AutomaticControls(this::controls));
		this.limiter = new RateLimiter(this.policies, counts, List.of(penalties));
		this.controls = new Controls(store,
				new ControlEffects(this.policies, this.keys.bans(), counts, this.events::add,
						(policy, key) -> this.forgetting.forEach((each) -> each.forget(policy, key))),
				new OperatorKeys(this.keys, Stream::empty), this.limiter, Duration.ofSeconds(5));
	}

	/** Adds penalties, whose counts are forgotten with a key. */
	void add(Penalties penalties) {
		this.forgetting.add(penalties);
	}

	/** Starts to look for changes. */
	public void start() {
		this.controls.start();
	}

	/** Returns the controls. */
	public Controls controls() {
		return this.controls;
	}

	/** Returns the events that this instance has reported. */
	public Collection<ControlEvent> events() {
		return this.events;
	}

	/** Returns the policies. */
	public Policies policies() {
		return this.policies;
	}

	/** Returns the resolvers of keys. */
	KeyResolvers keys() {
		return this.keys;
	}

	/** Returns whether a call of a key is admitted. */
	public boolean isAllowed(String policy, String key) {
		return this.limiter.acquire(Charge.of(policy, key)).allowed();
	}

	/** Returns whether a caller is banned from all policies. */
	public boolean isBanned(String address, @Nullable String principal) {
		return this.keys.bans().test(new CallContext(new Known(address, principal), Map.of()));
	}

	@Override
	public void close() {
		this.controls.stop();
	}

	private record Known(String remoteAddress, @Nullable String principal) implements Caller {

	}

	private static Policy policy(String name, String key) {
		return new Policy(name, List.of(Limit.parse("2/1h", Algorithm.TOKEN_BUCKET)), List.of(key));
	}

}
