package io.github.ratelimit.store;

import java.time.Instant;

import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a store to decide, other than that its circuit breaker was open.
 *
 * @param kind the kind of failure, which is never {@link Kind#OPEN}
 * @param reply the first words of the store's error, without keys; {@code null} if it did
 * not reply
 * @param at when it happened, by the clock of this process
 */
public record StoreFailure(Kind kind, @Nullable String reply, Instant at) {

	/**
	 * Returns a failure that has just happened.
	 * @param failure the failure
	 * @return the failure and the time
	 */
	public static StoreFailure of(RateLimitStoreException failure) {
		return new StoreFailure(failure.getKind(), failure.getReply(), Instant.now());
	}

	/**
	 * Returns the kind and the words of the store, as logs show them.
	 * @return a text such as {@code readonly (MISCONF Errors writing to the AOF file)}
	 */
	public String reason() {
		return (this.reply != null) ? this.kind.id() + " (" + this.reply + ')' : this.kind.id();
	}

}
