package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A control that was set, and its times. Most are numbers, as there may be thousands of
 * controls, few of which begin later.
 *
 * @param control the control
 * @param origin who set it
 * @param sinceMicros the time it was set, in microseconds since the epoch
 * @param from the time it begins, {@code null} if that is when it was set
 * @param untilMicros the time it ends, {@link #NEVER} if it stays until it is lifted
 */
public record ActiveControl(Control control, Origin origin, long sinceMicros, @Nullable Instant from,
		long untilMicros) {

	/** The end of a control that stays until it is lifted. */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * Creates a control.
	 * @param control the control
	 * @param origin who set it
	 * @param since the time it was set
	 * @param from the time it begins; {@code null} if it begins at once
	 * @param until the time it ends; {@code null} if it stays until it is lifted
	 */
	public ActiveControl(Control control, Origin origin, Instant since, @Nullable Instant from,
			@Nullable Instant until) {
		this(control, origin, micros(since), (from != null) ? time(micros(from)) : null,
				(until != null) ? micros(until) : NEVER);
	}

	/**
	 * Creates a control that the application set and that begins at once.
	 * @param control the control
	 * @param since the time it was set
	 * @param until the time it ends; {@code null} if it stays until it is lifted
	 */
	public ActiveControl(Control control, Instant since, @Nullable Instant until) {
		this(control, Origin.APPLICATION, since, null, until);
	}

	private static Instant time(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	private static long micros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

	/**
	 * Returns the time it was set.
	 * @return the time
	 */
	public Instant since() {
		return time(this.sinceMicros);
	}

	/** Returns the time it begins, which is that it was set unless it begins later. */
	Instant begin() {
		return (this.from != null) ? this.from : since();
	}

	/**
	 * Returns the time it ends.
	 * @return the time; {@code null} if it stays until it is lifted
	 */
	public @Nullable Instant until() {
		return (this.untilMicros != NEVER) ? time(this.untilMicros) : null;
	}

	/**
	 * Returns who is controlled, without the key.
	 * @return the digest of a key or caller; {@code null} for all callers of a policy
	 */
	public @Nullable String digest() {
		String subject = this.control.subject();
		return (subject != null) ? KeyDigest.inPlaceOf(subject) : null;
	}

	/**
	 * Returns the identifier of the control, which shows no key: its kind, policy and the
	 * digest of its key, which is that of reports and logs, and the time at which it
	 * begins if it does so later, as it replaces no control meanwhile.
	 * @return the same text for the same kind, subject and begin
	 */
	public String id() {
		String id = this.control.kind() + '-' + this.control.name();
		return (this.from != null) ? id + '@' + this.from : id;
	}

	boolean isOver(Instant now) {
		return this.untilMicros <= micros(now);
	}

	/**
	 * Returns the controls that wait: for their begin, or for the end of another of the
	 * same kind and subject that began later.
	 */
	static Set<ActiveControl> waiting(Supplier<Stream<ActiveControl>> all, Instant now) {
		if (all.get().noneMatch((active) -> active.from != null)) {
			return Set.of();
		}
		Map<Place, ActiveControl> latest = new HashMap<>();
		all.get()
			.filter((active) -> active.from == null || !active.from.isAfter(now))
			.forEach((active) -> latest.merge(Place.of(active.control), active,
					BinaryOperator.maxBy(Comparator.comparing(ActiveControl::begin))));
		return all.get()
			.filter((active) -> !active.equals(latest.get(Place.of(active.control))))
			.collect(Collectors.toUnmodifiableSet());
	}

	/** The kind and subject of a control, of which one control is in effect. */
	private record Place(Class<?> kind, @Nullable String policy, @Nullable String subject) {

		static Place of(Control control) {
			return new Place(control.getClass(), control.policy(), control.subject());
		}

	}

	/**
	 * A control that was set and the one that it replaces.
	 *
	 * @param control the control
	 * @param replaced the earlier control of the same identifier, or {@code null}
	 */
	public record Replacement(ActiveControl control, @Nullable ActiveControl replaced) {

	}

	/**
	 * The outcome of one of several controls.
	 *
	 * @param control the control as it was to be set
	 * @param set the control that was set, or {@code null} if it was refused
	 * @param refused the reason for which it was refused, or {@code null}
	 */
	public record Outcome(Control control, @Nullable Replacement set, @Nullable String refused) {

		Outcome unless(Set<String> refused, String reason) {
			return (this.set != null && refused.contains(this.set.control().id()))
					? new Outcome(this.control, null, reason) : this;
		}

	}

}
