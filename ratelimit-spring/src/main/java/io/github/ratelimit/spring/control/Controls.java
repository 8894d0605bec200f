package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.ActiveControl.Outcome;
import io.github.ratelimit.spring.control.ActiveControl.Replacement;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Text;
import io.github.ratelimit.spring.control.KnownControls.Lost;
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

	private static final String TOO_MANY = "there are " + ControlStore.MOST + " controls: lift some of them";

	/** The time between two looks for changes of other instances. */
	private static final Duration PERIOD = Duration.ofMillis(400);

	private final ControlStore store;

	private final ControlEffects effects;

	private final KnownControls known;

	private final ControlChecks checks;

	private final ControlFailures failures = new ControlFailures(System::nanoTime);

	private final Duration longest;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

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
		this.checks = new ControlChecks(this.known, effects, keys, limiter);
		this.longest = longest;
	}

	/** Starts to look for changes in the background, and waits for the first look. */
	@Override
	public void start() {
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
		return this.known.inEffect();
	}

	/**
	 * Returns the controls that wait for their begin, or for the end of another of the
	 * same kind and subject that began later.
	 * @return a snapshot, the latest first
	 */
	public synchronized List<ActiveControl> waiting() {
		return this.known.waiting();
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
	 * Returns the number of {@linkplain #skipped() skipped} controls.
	 * @return the number, without waiting for the store
	 */
	public int countSkipped() {
		return this.known.numbers().skipped();
	}

	/**
	 * Sets a control, which begins at once and replaces the one of the same kind and
	 * subject.
	 * @param control the control
	 * @param time how long it lasts; {@code null} until it is lifted
	 * @return the control in effect
	 * @throws IllegalArgumentException if the control is invalid, or there are too many
	 */
	public ActiveControl set(Control control, @Nullable Duration time) {
		return replace(control, (time != null) ? ControlTime.lasting(time) : ControlTime.EVER, Origin.APPLICATION)
			.control();
	}

	/**
	 * Sets a control, which replaces the one of the same kind, subject and begin.
	 * @param control the control
	 * @param time its begin and end
	 * @param origin who sets it
	 * @return the control and the one that it replaces
	 * @throws IllegalArgumentException if the control is invalid, or there are too many
	 */
	public Replacement replace(Control control, ControlTime time, Origin origin) {
		Outcome outcome = replaceAll(List.of(control), time, origin).get(0);
		Replacement set = outcome.set();
		if (set == null) {
			throw new IllegalArgumentException(outcome.refused());
		}
		return set;
	}

	/**
	 * Sets controls, in few requests to the store. Each replaces the one of the same
	 * kind, subject and begin. A reset is carried out first, with what a penalty has
	 * counted, and the store keeps no more than a digest of its key.
	 * @param controls the controls
	 * @param time their begin and end
	 * @param origin who sets them
	 * @return whether each was set, in the same order
	 */
	public synchronized List<Outcome> replaceAll(List<? extends Control> controls, ControlTime time, Origin origin) {
		look(Map.of());
		List<Outcome> outcomes = controls.stream().map((control) -> outcome(control, time, origin)).toList();
		Map<String, Text> texts = new LinkedHashMap<>();
		outcomes.stream()
			.map(Outcome::set)
			.flatMap(Stream::ofNullable)
			.forEach((set) -> texts.put(set.control().id(), ControlText.of(set.control())));
		Set<String> refused = this.store.put(texts);
		texts.keySet().removeAll(refused);
		look(texts);
		return outcomes.stream().map((outcome) -> outcome.unless(refused, TOO_MANY)).toList();
	}

	private Outcome outcome(Control control, ControlTime time, Origin origin) {
		try {
			ActiveControl active = this.checks.active(control, time, origin);
			return new Outcome(control, new Replacement(active, this.known.find(active.id())), null);
		}
		catch (IllegalArgumentException ex) {
			return new Outcome(control, null, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Sets a control, unless the one of the same kind and subject lasts longer, and
	 * reports it.
	 */
	synchronized void extend(Control control, Duration time, Origin origin) {
		look(Map.of());
		ActiveControl extended = this.checks.unchecked(control, ControlTime.lasting(time), origin);
		ActiveControl before = this.known.find(extended.id());
		if (before == null || before.untilMicros() < extended.untilMicros()) {
			Map<String, Text> texts = Map.of(extended.id(), ControlText.of(extended));
			if (!this.store.put(texts).isEmpty()) {
				throw new IllegalArgumentException(TOO_MANY);
			}
			look(texts);
			this.effects.report(new ControlEvent(ControlEvent.Kind.SET, extended.id(), extended));
		}
	}

	/**
	 * Returns the policies that have a key, and the key as calls have it.
	 * @param text the key or its digest
	 * @return the key by the names of policies
	 */
	public synchronized Map<String, String> policiesOf(String text) {
		return this.checks.policiesOf(text);
	}

	/**
	 * Returns who a control is about, without the key.
	 * @param control a control with a key as operators write it
	 * @return the digest of the key or caller; {@code null} if the control is of all
	 * callers or invalid
	 */
	public @Nullable String digest(Control control) {
		return this.checks.digest(control);
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
		replace(new Reset(policy, key), ControlTime.OF_RESET, Origin.APPLICATION);
	}

	/**
	 * Returns the controls of keys or callers, also those that are not in effect as their
	 * policy is gone.
	 * @param digests the digests of the keys and callers
	 * @return a snapshot without resets
	 */
	public synchronized List<ActiveControl> of(Collection<String> digests) {
		return this.known.all()
			.filter((active) -> !(active.control() instanceof Reset) && digests.contains(active.digest()))
			.toList();
	}

	/**
	 * Finds a control in effect, after a look for changes.
	 * @param id the identifier
	 * @return the control, or {@code null} if there is none, or it cannot be read
	 */
	public synchronized @Nullable ActiveControl find(String id) {
		look(Map.of());
		return this.known.find(id);
	}

	/**
	 * Lifts a control. A penalty whose ban is lifted forgets what it has counted of the
	 * key.
	 * @param id the identifier
	 * @return whether it was in effect
	 */
	public synchronized boolean lift(String id) {
		look(Map.of());
		ActiveControl lifted = this.known.find(id);
		if (lifted == null && !this.known.skipped().containsKey(id)) {
			return false;
		}
		this.store.remove(id);
		look(Map.of(id, Text.LIFTED));
		if (lifted != null) {
			this.effects.pardon(lifted);
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
	 * lost controls, this writes back those that this instance knows, and holds up no
	 * other thread meanwhile.
	 */
	public void refresh() {
		Lost lost = look(Map.of());
		if (lost != null) {
			this.failures.onLoss(this.store.restore(lost.known(), lost.texts()));
			look(Map.of());
		}
	}

	/**
	 * Reads changes.
	 * @param made those that this instance has just made, in effect whatever is lost
	 * @return what the store lacks, and what then stays in effect; {@code null} if it
	 * lacks nothing
	 */
	private synchronized @Nullable Lost look(Map<String, Text> made) {
		Changes changes = this.store.since(this.known.revision(), this.known.isDue());
		Lost lost = this.known.lostBy(changes);
		if (lost == null) {
			this.known.apply(changes);
		}
		else {
			this.known.apply(made);
		}
		return lost;
	}

	/**
	 * Returns how many controls this instance has written back, as the store had lost
	 * them.
	 * @return the number since the start
	 */
	public long restored() {
		return this.failures.restored();
	}

	/** Ends the background work. */
	@Override
	public void stop() {
		this.stopped.countDown();
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
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

	private void tryRefresh() {
		try {
			refresh();
			this.failures.onSuccess();
		}
		catch (RuntimeException | Error ex) {
			if (isRunning()) {
				this.failures.onFailure(ex);
			}
			synchronized (this) {
				this.known.apply(Map.of());
			}
		}
	}

}
