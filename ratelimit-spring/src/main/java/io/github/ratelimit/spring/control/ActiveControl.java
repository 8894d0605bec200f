package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import io.github.ratelimit.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A control in effect. The times are numbers, as there may be thousands of controls.
 *
 * @param control the control
 * @param origin who set it
 * @param sinceMicros the time it was set, in microseconds since the epoch
 * @param untilMicros the time it ends, {@link #NEVER} if it stays until it is lifted
 */
public record ActiveControl(Control control, Origin origin, long sinceMicros, long untilMicros) {

	/** The end of a control that stays until it is lifted. */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * Creates a control in effect.
	 * @param control the control
	 * @param origin who set it
	 * @param since the time it was set
	 * @param until the time it ends; {@code null} if it stays until it is lifted
	 */
	public ActiveControl(Control control, Origin origin, Instant since, @Nullable Instant until) {
		this(control, origin, micros(since), (until != null) ? micros(until) : NEVER);
	}

	/**
	 * Creates a control in effect that the application set.
	 * @param control the control
	 * @param since the time it was set
	 * @param until the time it ends; {@code null} if it stays until it is lifted
	 */
	public ActiveControl(Control control, Instant since, @Nullable Instant until) {
		this(control, Origin.APPLICATION, since, until);
	}

	private static long micros(Instant time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time);
	}

	/**
	 * Returns the time it was set.
	 * @return the time
	 */
	public Instant since() {
		return Instant.EPOCH.plus(this.sinceMicros, ChronoUnit.MICROS);
	}

	/**
	 * Returns the time it ends.
	 * @return the time; {@code null} if it stays until it is lifted
	 */
	public @Nullable Instant until() {
		return (this.untilMicros != NEVER) ? Instant.EPOCH.plus(this.untilMicros, ChronoUnit.MICROS) : null;
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
	 * digest of its key, which is that of reports and logs.
	 * @return the same text for the same kind and subject
	 */
	public String id() {
		return this.control.kind() + '-' + this.control.name();
	}

	boolean isOver(Instant now) {
		return this.untilMicros <= micros(now);
	}

	/**
	 * A control in effect and the one that it replaces.
	 *
	 * @param control the control in effect
	 * @param replaced the earlier control of the same kind and subject, or {@code null}
	 */
	public record Replacement(ActiveControl control, @Nullable ActiveControl replaced) {

	}

	/**
	 * The outcome of one of several controls.
	 *
	 * @param control the control as it was to be set
	 * @param set the control in effect, or {@code null} if it was refused
	 * @param refused the reason for which it was refused, or {@code null}
	 */
	public record Outcome(Control control, @Nullable Replacement set, @Nullable String refused) {

		Outcome unless(Set<String> refused, String reason) {
			return (this.set != null && refused.contains(this.set.control().id()))
					? new Outcome(this.control, null, reason) : this;
		}

	}

}
