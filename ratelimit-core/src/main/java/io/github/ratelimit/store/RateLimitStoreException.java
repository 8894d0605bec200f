package io.github.ratelimit.store;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * An exception thrown if a store could not decide. The message names the store and what
 * failed, never a key.
 */
public class RateLimitStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** The kind of failure. */
	private final Kind kind;

	/** The first words of the store's error. */
	private final @Nullable String reply;

	/**
	 * Creates an exception of no particular kind.
	 * @param message what failed
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, @Nullable Throwable cause) {
		this(message, Kind.OTHER, cause);
	}

	/**
	 * Creates an exception. Those of an {@link Kind#OPEN open} breaker may be very
	 * frequent and have no stack trace.
	 * @param message what failed
	 * @param kind the kind of failure
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, Kind kind, @Nullable Throwable cause) {
		this(message, kind, null, cause);
	}

	/**
	 * Creates an exception for a store that was reached and replied with an error.
	 * @param message what failed
	 * @param kind the kind of failure
	 * @param reply the first words of the error, without keys; {@code null} for none
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, Kind kind, @Nullable String reply, @Nullable Throwable cause) {
		super(message, cause, true, kind != Kind.OPEN);
		this.kind = kind;
		this.reply = reply;
	}

	/**
	 * Returns the kind of failure.
	 * @return a kind
	 */
	public Kind getKind() {
		return this.kind;
	}

	/**
	 * Returns the first words of the store's error, for operators.
	 * @return words without keys, or {@code null} if the store did not reply
	 */
	public @Nullable String getReply() {
		return this.reply;
	}

	/**
	 * The kinds of failure.
	 */
	public enum Kind {

		/** The reply is late; the request may have been executed. */
		TIMEOUT,

		/** The connection is missing or broke; the request may have been executed. */
		CONNECTION,

		/** The store takes no writes, as a replica does. */
		READONLY,

		/** The store has no memory left. */
		OOM,

		/** The store is busy with something else. */
		BUSY,

		/** The store is starting and has not loaded its data yet. */
		LOADING,

		/** The store rejects the credentials, or lacks permission for a command. */
		AUTH,

		/** The cluster has no node that can decide at present. */
		CLUSTER,

		/** The breaker is open: no request was sent. */
		OPEN,

		/** Anything else. */
		OTHER;

		/**
		 * Returns the name of this kind, as metrics show it.
		 * @return a lower case word
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
