package io.github.ratelimit.spring.control;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * A control in effect.
 *
 * @param control the control
 * @param since the time it was set
 * @param until the time it ends; {@code null} if it stays until it is lifted
 */
public record ActiveControl(Control control, Instant since, @Nullable Instant until) {

	/** The bytes of a hash that tell the subjects of controls apart. */
	private static final int BYTES = 8;

	/**
	 * Returns the identifier of the control, which shows no key.
	 * @return the same text for the same kind and subject
	 */
	public String id() {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(this.control.subject().getBytes(StandardCharsets.UTF_8));
			return this.control.kind() + '-' + HexFormat.of().formatHex(digest, 0, BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	boolean isOver(Instant now) {
		return this.until != null && !this.until.isAfter(now);
	}

}
