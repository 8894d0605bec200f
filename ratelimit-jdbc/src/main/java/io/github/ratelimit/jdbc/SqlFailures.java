package io.github.ratelimit.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The classification of failures by their SQLSTATE. What the database says is repeated
 * nowhere, as it may quote a value.
 */
final class SqlFailures {

	/** A lock that another session has held for too long. */
	private static final String LOCKED = "55P03";

	/** The classes of SQLSTATEs by which the database rejects the data of one call. */
	private static final Set<String> OF_DATA = Set.of("22", "23");

	private SqlFailures() {
	}

	/** Returns the exception for the application. For operators, it has the SQLSTATE. */
	static RateLimitStoreException of(Throwable failure) {
		if (failure instanceof CompletionException && failure.getCause() != null) {
			return of(failure.getCause());
		}
		if (failure instanceof RateLimitStoreException known) {
			return known;
		}
		Kind kind = kind(failure);
		String state = state(failure);
		return new RateLimitStoreException(
				"The database did not decide: " + kind.id() + " (" + failure.getClass().getSimpleName() + ")", kind,
				state.isEmpty() ? null : "SQLSTATE " + state, failure);
	}

	static RateLimitStoreException circuitOpen() {
		return new RateLimitStoreException("The database has been failing and is not asked", Kind.OPEN, null);
	}

	/**
	 * Returns whether the database fails, rather than one call: another session may lock
	 * a row for long, or a value may not fit, and other calls are decided meanwhile.
	 */
	static boolean isOfDatabase(RateLimitStoreException failure) {
		String state = state(failure);
		if (failure.getKind() == Kind.OTHER) {
			return !state.isEmpty() && !OF_DATA.contains(state.substring(0, 2));
		}
		return !state.equals(LOCKED);
	}

	private static Kind kind(Throwable failure) {
		if (has(failure, SocketTimeoutException.class) || has(failure, TimeoutException.class)) {
			return Kind.TIMEOUT;
		}
		String state = state(failure);
		if (state.isEmpty()) {
			return Kind.OTHER;
		}
		return switch (state) {
			case "57014", LOCKED, "25P03", "25P04" -> Kind.TIMEOUT;
			case "57P01", "57P02" -> Kind.CONNECTION;
			case "57P03" -> Kind.LOADING;
			case "25006" -> Kind.READONLY;
			case "53300" -> Kind.BUSY;
			case "42501" -> Kind.AUTH;
			default -> kindOfClass(state.substring(0, 2));
		};
	}

	private static Kind kindOfClass(String category) {
		return switch (category) {
			case "08" -> Kind.CONNECTION;
			case "28" -> Kind.AUTH;
			case "40" -> Kind.BUSY;
			case "53" -> Kind.OOM;
			default -> Kind.OTHER;
		};
	}

	/** Returns the innermost SQLSTATE; empty without one. */
	private static String state(Throwable failure) {
		String state = "";
		for (@Nullable
		Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				String found = Objects.requireNonNullElse(sql.getSQLState(), "");
				state = (found.length() == LOCKED.length()) ? found : state;
			}
		}
		return state;
	}

	private static boolean has(Throwable failure, Class<? extends Throwable> type) {
		for (@Nullable
		Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

}
