package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.Fnv1a;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import io.github.ratelimit.spring.control.ControlEvent.Kind;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Text;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The controls that this instance has read, on the clock of their store. For one thread
 * at a time, except {@link #pauseLeft} and {@link #numbers}, which are thread-safe.
 */
final class KnownControls {

	private static final Log logger = LogFactory.getLog(KnownControls.class);

	/**
	 * The time after which everything is read again, as a store that failed over may have
	 * lost a change.
	 */
	private static final long REFRESH = TimeUnit.MINUTES.toNanos(1);

	private final ControlEffects effects;

	/**
	 * The time for which a store remembers that a control was lifted, less the time in
	 * which it may be read.
	 */
	private static final Duration TRACED = Duration.ofMinutes(50);

	/** The time by which this clock may be behind that of the store. */
	private static final Duration MARGIN = Duration.ofSeconds(5);

	/** The controls by the numbers of their identifiers, which take less memory. */
	private final Map<Long, ActiveControl> byId = new HashMap<>();

	/** The pauses in the same way, which have no effect on policies. */
	private final Map<Long, ActiveControl> pauses = new HashMap<>();

	/** The controls that have no effect yet, or none while another has. */
	private Set<ActiveControl> waiting = Set.of();

	private Revision revision = Revision.NONE;

	private volatile StoreTime time = new StoreTime(Instant.EPOCH, System.nanoTime());

	private volatile Map<Subject, Instant> pausedUntil = Map.of();

	private long allReadAt = System.nanoTime();

	/** The reasons why stored texts are no controls, by their identifiers. */
	private final Map<String, String> unreadable = new TreeMap<>();

	/** The reasons why controls cannot be applied, by their identifiers. */
	private Map<String, String> unfit = Map.of();

	/** The same of pauses. */
	private Map<String, String> unfitPauses = Map.of();

	private Set<String> logged = Set.of();

	/** Whether the controls of the start have been compared with the configuration. */
	private boolean compared;

	private volatile Numbers numbers = new Numbers(Map.of(), 0);

	/** The policies that were removed although controls name them. */
	private Set<String> orphaned = Set.of();

	KnownControls(ControlEffects effects) {
		this.effects = effects;
	}

	/** Replaces configured policies. The controls of those that remain still apply. */
	void configure(Collection<Policy> configured, Set<String> removed) {
		this.effects.configure(configured, removed);
		fit(true);
		warnOf(removed);
		warnOfOverridden(configured.stream().map(Policy::name));
	}

	/** Warns of values that a deployment may have meant to change. */
	private void warnOfOverridden(Stream<String> configured) {
		List<String> overridden = configured.filter(changed()::containsKey).sorted().toList();
		if (!overridden.isEmpty()) {
			logger.warn("Controls override what the configuration says of the policies " + overridden
					+ ". The endpoint 'ratelimits' shows them as 'change'");
		}
	}

	private void warnOf(Set<String> removed) {
		Set<String> controlled = all().map((active) -> active.control().policy())
			.filter((policy) -> policy != null && removed.contains(policy))
			.collect(Collectors.toCollection(TreeSet::new));
		if (!this.orphaned.containsAll(controlled)) {
			logger.warn("The configuration no longer has the policies " + controlled
					+ ", so their controls are no longer in effect. If a policy was renamed, set them again");
		}
		this.orphaned = controlled;
	}

	/** Returns the last known revision. */
	Revision revision() {
		Map<String, Long> newest = new HashMap<>(this.revision.newest());
		newest.entrySet().removeIf((change) -> !isTraced(change.getKey(), change.getValue()));
		return new Revision(this.revision.generation(), this.revision.number(), newest);
	}

	/**
	 * Returns whether the store must still know of a change, unless it has lost it: the
	 * control has not ended, or the time for which the store remembers that it was
	 * lifted.
	 */
	private boolean isTraced(String id, long number) {
		StoreTime time = this.time;
		Instant now = time.now();
		if (Duration.between(time.read(), now).compareTo(TRACED) > 0) {
			return false;
		}
		ActiveControl active = find(id);
		return (active != null) ? !active.isOver(now.plus(MARGIN))
				: now.minus(TRACED).isBefore(Instant.EPOCH.plus(number, ChronoUnit.MICROS));
	}

	/** Returns whether all controls are to be read again. */
	boolean isDue() {
		return System.nanoTime() - this.allReadAt >= REFRESH;
	}

	/**
	 * Returns what is to be written back to a store that lacks it: all controls that have
	 * not ended, or null for nothing to do. That is so if the store is empty, and all
	 * known controls have ended.
	 */
	@Nullable Lost lostBy(Changes changes) {
		if (!changes.lacking()) {
			return null;
		}
		Lost lost = new Lost(revision(), List.copyOf(this.unreadable.keySet()),
				all().filter((active) -> !active.isOver(changes.now())).toList());
		return (lost.isEmpty() && changes.revision().equals(Revision.NONE)) ? null : lost;
	}

	Instant now() {
		return this.time.now();
	}

	/** Returns the time until calls to an upstream may be made. */
	Duration pauseLeft(String policy, String key) {
		Instant until = this.pausedUntil.get(new Subject(policy, key));
		Duration left = (until != null) ? Duration.between(now(), until) : Duration.ZERO;
		return left.isNegative() ? Duration.ZERO : left;
	}

	/** Returns the controls that apply to this instance, the latest first. */
	List<ActiveControl> inEffect() {
		return listed(begun(all()));
	}

	/** Returns the controls that will, the latest first. */
	List<ActiveControl> waiting() {
		return listed(this.waiting.stream());
	}

	private List<ActiveControl> listed(Stream<ActiveControl> controls) {
		return controls.filter((active) -> !isUnfit(active) && !(active.control() instanceof Reset))
			.sorted(Comparator.comparing(ActiveControl::since).reversed())
			.toList();
	}

	private Stream<ActiveControl> begun(Stream<ActiveControl> controls) {
		return this.waiting.isEmpty() ? controls : controls.filter((active) -> !this.waiting.contains(active));
	}

	private boolean isUnfit(ActiveControl active) {
		String id = (this.unfit.isEmpty() && this.unfitPauses.isEmpty()) ? "" : active.id();
		return this.unfit.containsKey(id) || this.unfitPauses.containsKey(id);
	}

	/** Returns all controls, also those that do not fit. */
	Stream<ActiveControl> all() {
		return Stream.concat(this.byId.values().stream(), this.pauses.values().stream());
	}

	/** Returns the policies that controls change, as they are configured. */
	Map<String, Policy> changed() {
		return this.effects.changed();
	}

	/** Requires that a control can be applied, and is short enough to be stored. */
	void check(ActiveControl control) {
		ControlText.requireShort(control);
		this.effects.check(control);
	}

	/** Returns the reasons why controls of the store are not in effect, by identifier. */
	Map<String, String> skipped() {
		Map<String, String> skipped = new TreeMap<>(this.unreadable);
		skipped.putAll(this.unfit);
		skipped.putAll(this.unfitPauses);
		return skipped;
	}

	/** Applies controls if these or the policies that they lacked have changed. */
	private void fit(boolean changed) {
		if (changed || (!this.unfit.isEmpty() && this.effects.isOutdated())) {
			this.unfit = new TreeMap<>(this.effects.unfit(this.waiting));
			this.unfit.putAll(this.effects.apply(begun(this.byId.values().stream()).toList()));
		}
		this.unfitPauses = this.effects.unfit(begun(this.pauses.values().stream()).toList());
		this.numbers = count();
		logSkipped();
	}

	/** Counts by type, as there may be thousands of controls, whose kinds are texts. */
	private Numbers count() {
		Map<String, Long> inEffect = new HashMap<>();
		begun(all()).collect(Collectors.groupingBy((active) -> active.control().getClass(), Collectors.counting()))
			.forEach((type, number) -> inEffect.put(Control.kind(type), number));
		Stream.concat(this.unfit.keySet().stream(), this.unfitPauses.keySet().stream())
			.flatMap((id) -> Stream.ofNullable(find(id)).filter((active) -> !this.waiting.contains(active)))
			.forEach((skipped) -> inEffect.merge(skipped.control().kind(), -1L, Long::sum));
		return new Numbers(inEffect, this.unreadable.size() + this.unfit.size() + this.unfitPauses.size());
	}

	/** Returns how many controls there are, without waiting for a store. */
	Numbers numbers() {
		return this.numbers;
	}

	/** Logs once that controls are skipped, and again if there are others. */
	private void logSkipped() {
		Set<String> skipped = skipped().keySet();
		skipped.stream()
			.filter((id) -> !this.logged.contains(id))
			.findFirst()
			.ifPresent((id) -> logger.warn(skipped.size() + " controls do not fit this instance and are skipped, "
					+ "among them '" + ControlText.printable(id) + "'. The endpoint 'ratelimitcontrols' shows why"));
		this.logged = Set.copyOf(skipped);
	}

	/** Returns the control with an identifier, or null. */
	@Nullable ActiveControl find(String id) {
		ActiveControl pause = this.pauses.get(number(id));
		ActiveControl found = (pause != null) ? pause : this.byId.get(number(id));
		return (found != null && found.id().equals(id)) ? found : null;
	}

	void apply(Changes changes) {
		this.time = new StoreTime(changes.now(), System.nanoTime());
		Map<Long, ActiveControl> before = Map.copyOf(this.byId);
		changes.ended().forEach((id) -> this.effects.report(new ControlEvent(Kind.ENDED, id, find(id))));
		if (changes.all()) {
			this.allReadAt = this.time.readAt();
			this.byId.clear();
			this.pauses.clear();
			this.unreadable.clear();
		}
		changes.texts().forEach(this::read);
		if (!changes.revision().equals(Revision.NONE)) {
			this.revision = changes.revision();
		}
		takeEffect(before);
		if (!this.compared) {
			this.compared = true;
			warnOfOverridden(changed().keySet().stream());
		}
	}

	/**
	 * Applies changes that have no known revision, so that nothing that is written back
	 * replaces them. Drops the controls that have ended.
	 */
	void apply(Map<String, Text> changes) {
		Map<Long, ActiveControl> before = Map.copyOf(this.byId);
		changes.forEach((id, change) -> read(id, change.text()));
		takeEffect(before);
	}

	private void takeEffect(Map<Long, ActiveControl> before) {
		Instant now = now();
		this.byId.values().removeIf((active) -> active.isOver(now));
		this.pauses.values().removeIf((pause) -> pause.isOver(now));
		Set<ActiveControl> waited = this.waiting;
		this.waiting = ActiveControl.waiting(this::all, now);
		this.pausedUntil = pausedUntil();
		boolean changed = !this.byId.equals(before) || !this.waiting.equals(waited);
		fit(changed);
		listed(begun(all().filter(waited::contains))).forEach(this.effects::reportBegin);
		if (changed) {
			this.byId.entrySet()
				.stream()
				.filter((entry) -> !entry.getValue().equals(before.get(entry.getKey())))
				.forEach((entry) -> this.effects.begin(entry.getValue()));
		}
	}

	private Map<Subject, Instant> pausedUntil() {
		Map<Subject, Instant> paused = new HashMap<>();
		begun(this.pauses.values().stream()).forEach((active) -> {
			Instant until = active.until();
			if (active.control() instanceof Pause pause && until != null) {
				paused.put(new Subject(pause.policy(), pause.key()), until);
			}
		});
		return paused;
	}

	private void read(String id, String text) {
		this.byId.remove(number(id));
		this.pauses.remove(number(id));
		this.unreadable.remove(id);
		if (text.isEmpty()) {
			return;
		}
		try {
			ActiveControl active = ControlText.read(text);
			if (!active.id().equals(id)) {
				throw new IllegalArgumentException("a control with another identifier");
			}
			((active.control() instanceof Pause) ? this.pauses : this.byId).put(number(id), active);
		}
		catch (RuntimeException ex) {
			// Whoever writes to the store may have written anything
			this.unreadable.put(id, String.valueOf(ex.getMessage()));
		}
	}

	/** Returns a hash of an identifier, most of which is a digest already. */
	private static long number(String id) {
		return Fnv1a.hash(id);
	}

	/**
	 * The controls that a store has lost.
	 *
	 * @param known the last known revision
	 * @param unreadable the identifiers of those that this instance cannot read
	 * @param active all others that have not ended
	 */
	record Lost(Revision known, List<String> unreadable, List<ActiveControl> active) {

		boolean isEmpty() {
			return this.unreadable.isEmpty() && this.active.isEmpty();
		}

		/** Returns the texts, each of which is written when it is needed. */
		Stream<Map.Entry<String, Text>> texts() {
			return Stream.concat(this.unreadable.stream().map((id) -> Map.entry(id, new Text("", null))),
					this.active.stream().map((active) -> Map.entry(active.id(), ControlText.of(active))));
		}

	}

	/**
	 * Numbers of controls.
	 *
	 * @param inEffect those in effect, by their kind
	 * @param skipped those that are skipped
	 */
	record Numbers(Map<String, Long> inEffect, int skipped) {

	}

	/**
	 * The time of the store when it was last read.
	 *
	 * @param read the time of the store
	 * @param readAt the time of this JVM, by {@link System#nanoTime}
	 */
	private record StoreTime(Instant read, long readAt) {

		Instant now() {
			return this.read.plus(Duration.ofNanos(System.nanoTime() - this.readAt));
		}

	}

}
