package io.github.ratelimit.store;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A store could not decide. The message names the store and what failed, never a key.
 */
public class RateLimitStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Kind kind;

	/**
	 * A failure of no particular kind.
	 * @param message what failed
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, @Nullable Throwable cause) {
		this(message, Kind.OTHER, cause);
	}

	/**
	 * A failure. That of an {@link Kind#OPEN open} breaker may be very frequent and has
	 * no stack trace.
	 * @param message what failed
	 * @param kind what kind of failure it is
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, Kind kind, @Nullable Throwable cause) {
		super(message, cause, true, kind != Kind.OPEN);
		this.kind = kind;
	}

	/**
	 * What kind of failure this is.
	 * @return a kind
	 */
	public Kind getKind() {
		return this.kind;
	}

	/**
	 * The kinds of failure.
	 */
	public enum Kind {

		/** No answer in time; what was asked for may have been charged. */
		TIMEOUT,

		/** No connection, or one that broke; it may have been charged. */
		CONNECTION,

		/** The store takes no writes, as a replica does. */
		READONLY,

		/** The store has no memory left. */
		OOM,

		/** The store is busy with something else. */
		BUSY,

		/** The store is starting and has not loaded its data yet. */
		LOADING,

		/** The store does not let us in, or not do what we must. */
		AUTH,

		/** A cluster has nobody to decide at present. */
		CLUSTER,

		/** The breaker is open: the store was not asked. */
		OPEN,

		/** Anything else. */
		OTHER;

		/**
		 * The name of this kind, as metrics show it.
		 * @return a lower case word
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
