package io.github.ratelimit.spring.control;

import java.time.Instant;

import io.github.ratelimit.spring.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A control in effect.
 *
 * @param control the control
 * @param since the time it was set
 * @param until the time it ends; {@code null} if it stays until it is lifted
 */
public record ActiveControl(Control control, Instant since, @Nullable Instant until) {

	/**
	 * Returns the identifier of the control, which shows no key.
	 * @return the same text for the same kind and subject
	 */
	public String id() {
		return this.control.kind() + '-' + KeyDigest.of(this.control.subject());
	}

	boolean isOver(Instant now) {
		return this.until != null && !this.until.isAfter(now);
	}

}
