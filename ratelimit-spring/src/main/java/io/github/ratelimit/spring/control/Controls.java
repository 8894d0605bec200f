package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Restored;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * The controls that are in effect on this instance and, with a shared store, on all
 * others within a second. While the store fails, each instance goes on with the controls
 * it knows. Thread-safe.
 */
public final class Controls implements SmartLifecycle {

	/** The phase before web servers, which start 2048 before the last, and listeners. */
	public static final int PHASE = DEFAULT_PHASE - 4096;

	/** The time between two looks for changes of other instances. */
	private static final Duration PERIOD = Duration.ofMillis(400);

	/** The time for which other instances can learn of a reset. */
	private static final Duration RESET = Duration.ofMinutes(1);

	private final ControlStore store;

	private final ControlEffects effects;

	private final KnownControls known;

	private final OperatorKeys keys;

	private final ControlLosses losses = new ControlLosses();

	private final ControlFailures failures = new ControlFailures(System::nanoTime);

	private final RateLimiter limiter;

	private final Duration longest;

	private volatile CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean running;

	/**
	 * Creates the controls of an application, which are not in effect before the start.
	 * @param store the store of controls
	 * @param effects the effects of controls on this instance
	 * @param keys the keys as operators write them
	 * @param limiter the limiter that resets keys
	 * @param longest the longest time for which the start waits for the first look
	 */
	public Controls(ControlStore store, ControlEffects effects, OperatorKeys keys, RateLimiter limiter,
			Duration longest) {
		this.store = store;
		this.effects = effects;
		this.known = new KnownControls(effects);
		this.keys = keys;
		this.limiter = limiter;
		this.longest = longest;
	}

	/** Starts to look for changes in the background, and waits for the first look. */
	@Override
	public void start() {
		this.running = true;
		CountDownLatch stop = new CountDownLatch(1);
		CountDownLatch read = new CountDownLatch(1);
		this.stopped = stop;
		Thread thread = new Thread(() -> run(read, stop), "ratelimit-controls");
		thread.setDaemon(true);
		thread.start();
		try {
			read.await(this.longest.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns the controls in effect.
	 * @return a snapshot, the latest first
	 */
	public synchronized List<ActiveControl> active() {
		return this.known.inEffect()
			.filter((active) -> !(active.control() instanceof Reset))
			.sorted(Comparator.comparing(ActiveControl::since).reversed())
			.toList();
	}

	/**
	 * Returns the controls in the store that are not in effect on this instance, as their
	 * values are invalid, or they do not fit its policies or are of a policy that it does
	 * not have. They can be lifted.
	 * @return the reasons by identifiers
	 */
	public synchronized Map<String, String> skipped() {
		return this.known.skipped();
	}

	/**
	 * Replaces or adds configured policies as one change. Their controls still apply, and
	 * spent permits stay spent.
	 * @param policies the policies as they are configured now
	 * @param removed the names of policies that are no longer configured, whose controls
	 * are skipped
	 */
	public synchronized void configure(Collection<Policy> policies, Set<String> removed) {
		this.known.configure(policies, removed);
	}

	/**
	 * Returns the number of controls of a kind that are in effect, without waiting for
	 * the store.
	 * @param kind the kind, such as {@code ban}
	 * @return the number
	 */
	public long count(String kind) {
		return this.known.numbers().inEffect().getOrDefault(kind, 0L);
	}

	/**
	 * Returns the number of {@linkplain #skipped() skipped} controls, without waiting for
	 * the store.
	 * @return the number
	 */
	public int countSkipped() {
		return this.known.numbers().skipped();
	}

	/**
	 * Sets a control, which replaces the one of the same kind and subject.
	 * @param control the control
	 * @param time how long it lasts; {@code null} until it is lifted
	 * @return the control in effect
	 * @throws IllegalArgumentException if the control is invalid, or there are too many
	 */
	public ActiveControl set(Control control, @Nullable Duration time) {
		return replace(control, (time != null) ? ControlEnd.after(time) : ControlEnd.NEVER, Origin.APPLICATION)
			.control();
	}

	/**
	 * Sets a control, which replaces the one of the same kind and subject.
	 * @param control the control
	 * @param end its end
	 * @param origin who sets it
	 * @return the control in effect and the one that it replaces
	 * @throws IllegalArgumentException if the control is invalid, or there are too many
	 */
	public synchronized Replacement replace(Control control, ControlEnd end, Origin origin) {
		Control canonical = canonical(control);
		refresh();
		ActiveControl active = active(canonical, end, origin);
		this.known.check(active);
		ActiveControl replaced = this.known.find(active.id());
		return new Replacement(put(active), replaced);
	}

	/**
	 * Sets a control, unless the one of the same kind and subject lasts longer, and
	 * reports it.
	 */
	synchronized void extend(Control control, Duration time, Origin origin) {
		refresh();
		ActiveControl extended = active(control, ControlEnd.after(time), origin);
		ActiveControl before = this.known.find(extended.id());
		if (before == null || before.untilMicros() < extended.untilMicros()) {
			put(extended);
			this.effects.report(new ControlEvent(ControlEvent.Kind.SET, extended.id(), extended));
		}
	}

	/**
	 * Returns a control with the key as calls have it, or with its digest where the store
	 * needs no more. Keys of outbound calls have no words.
	 * @param control a control with a key as operators write it
	 * @return the control as {@link #replace} sets it
	 * @throws IllegalArgumentException if there is no such policy or key
	 */
	public Control canonical(Control control) {
		if (control instanceof Ban ban) {
			return new Ban(ban.policy(), key(ban.policy(), ban.key()));
		}
		if (control instanceof Grant grant) {
			return new Grant(grant.policy(), key(grant.policy(), grant.key()), grant.permits());
		}
		if (control instanceof Limits own) {
			return new Limits(own.policy(), key(own.policy(), own.key()), own.limits());
		}
		return (control instanceof Reset reset)
				? new Reset(reset.policy(), KeyDigest.inPlaceOf(key(reset.policy(), reset.key()))) : control;
	}

	private String key(String policy, String key) {
		return this.keys.of(this.effects.policy(policy), key);
	}

	private ActiveControl active(Control control, ControlEnd end, Origin origin) {
		Instant now = this.known.now();
		return new ActiveControl(control, origin, now, end.from(now));
	}

	private ActiveControl put(ActiveControl active) {
		if (!this.store.put(active.id(), ControlText.write(active), active.until())) {
			throw new IllegalArgumentException("there are " + ControlStore.MOST + " controls: lift some of them");
		}
		refresh();
		return active;
	}

	/**
	 * Resets a key on all instances, with what a penalty has counted of it. The store
	 * keeps no more than a digest of it.
	 * @param policy the policy's name
	 * @param key the key
	 * @throws IllegalArgumentException if there is no such policy or the key is not one
	 * of its keys
	 */
	public void reset(String policy, String key) {
		String canonical = key(policy, key);
		this.limiter.reset(policy, canonical);
		this.effects.pardon(policy, canonical);
		set(new Reset(policy, canonical), RESET);
	}

	/**
	 * Finds a control in effect, after a look for changes.
	 * @param id the identifier
	 * @return the control, or {@code null} if there is none, or it cannot be read
	 */
	public synchronized @Nullable ActiveControl find(String id) {
		refresh();
		return this.known.find(id);
	}

	/**
	 * Lifts a control. A penalty whose ban is lifted forgets what it has counted of the
	 * key.
	 * @param id the identifier
	 * @return whether it was in effect
	 */
	public synchronized boolean lift(String id) {
		refresh();
		ActiveControl lifted = this.known.find(id);
		if (lifted == null && !this.known.skipped().containsKey(id)) {
			return false;
		}
		this.store.remove(id);
		refresh();
		if (lifted != null && lifted.origin().source() == Origin.Source.PENALTY
				&& lifted.control() instanceof Ban ban) {
			this.effects.pardon(ban.policy(), ban.key());
		}
		return true;
	}

	/**
	 * Returns the policies that a control changes, as they are configured.
	 * @return the policies without the change, by name
	 */
	public synchronized Map<String, Policy> changed() {
		return this.known.changed();
	}

	/**
	 * Returns the time until calls to an upstream may be made, without blocking.
	 * @param policy the name of the policy of outbound calls
	 * @param key the key of the upstream
	 * @return zero if there is no pause
	 */
	public Duration pauseLeft(String policy, String key) {
		return this.known.pauseLeft(policy, key);
	}

	/**
	 * Reads changes from the store now, rather than within a moment. If the store has
	 * lost controls, this writes back those that this instance knows.
	 */
	public synchronized void refresh() {
		Changes changes = this.store.since(this.known.revision(), this.known.isDue());
		this.known.apply(this.known.canRestore(changes) ? restored(changes) : changes);
	}

	private Changes restored(Changes lacking) {
		Restored restored = this.store.restore(this.known.revision(), this.known.texts(lacking.now()));
		this.losses.add(restored);
		return this.store.since(Revision.NONE, true);
	}

	/**
	 * Returns how many controls this instance has written back, as the store had lost
	 * them.
	 * @return the number since the start
	 */
	public long restored() {
		return this.losses.restored();
	}

	/** Ends the background work. */
	@Override
	public void stop() {
		this.running = false;
		this.stopped.countDown();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	private void run(CountDownLatch read, CountDownLatch stop) {
		try {
			do {
				tryRefresh();
				read.countDown();
			}
			while (!stop.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void tryRefresh() {
		try {
			refresh();
			this.failures.onSuccess();
		}
		catch (RuntimeException | Error ex) {
			if (this.stopped.getCount() > 0) {
				this.failures.onFailure(ex);
			}
			this.known.expire();
		}
	}

	/**
	 * A control in effect and the one that it replaces.
	 *
	 * @param control the control in effect
	 * @param replaced the earlier control of the same kind and subject, or {@code null}
	 */
	public record Replacement(ActiveControl control, @Nullable ActiveControl replaced) {

	}

}
