package io.github.ratelimit.spring.redis.driver;

import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The translation of exceptions of drivers. Errors of Redis are recognised by their first
 * word, exceptions by their name, as the classes of a driver may be missing.
 */
public final class RedisFailures {

	private static final Pattern REPLY = Pattern.compile("([A-Z]{2,})( .*)?", Pattern.DOTALL);

	private static final Map<String, Kind> REPLIES = Map.ofEntries(Map.entry("READONLY", Kind.READONLY),
			Map.entry("MASTERDOWN", Kind.READONLY), Map.entry("NOREPLICAS", Kind.READONLY),
			Map.entry("MISCONF", Kind.READONLY), Map.entry("OOM", Kind.OOM), Map.entry("BUSY", Kind.BUSY),
			Map.entry("UNKILLABLE", Kind.BUSY), Map.entry("LOADING", Kind.LOADING), Map.entry("NOAUTH", Kind.AUTH),
			Map.entry("WRONGPASS", Kind.AUTH), Map.entry("NOPERM", Kind.AUTH), Map.entry("CLUSTERDOWN", Kind.CLUSTER),
			Map.entry("TRYAGAIN", Kind.CLUSTER), Map.entry("MOVED", Kind.CLUSTER), Map.entry("ASK", Kind.CLUSTER));

	/** The most characters of an error that are shown. */
	private static final int LONGEST = 72;

	/** The name of a command that a user may not run. */
	private static final Pattern COMMAND = Pattern.compile("'([a-z|-]+)' command");

	/**
	 * The begin of what an error quotes, which may be a key, of another line, or of the
	 * script's digest.
	 */
	private static final Pattern QUOTED = Pattern.compile("([\\p{Cc}\\p{Zl}\\p{Zp}\"`{]|(?<!\\p{Alnum})'| script: ).*",
			Pattern.DOTALL);

	/**
	 * The classes of exceptions that are no errors of Redis, such as that of a
	 * certificate, which begins with PKIX.
	 */
	private static final Pattern PLATFORM = Pattern.compile("(javax?|sun)\\.");

	private static final Pattern LAST_WORD = Pattern.compile("[^\\p{Alnum}]+$");

	private RedisFailures() {
	}

	/**
	 * Returns the exception for the application, whose message repeats nothing from
	 * Redis. For operators, it has the first words of an error of Redis.
	 */
	public static RateLimitStoreException of(Throwable failure) {
		Throwable cause = unwrapped(failure);
		if (cause instanceof RateLimitStoreException translated) {
			return translated;
		}
		Kind kind = kind(cause);
		return new RateLimitStoreException(
				"Redis did not decide: " + kind.id() + " (" + cause.getClass().getSimpleName() + ")", kind,
				words(cause), cause);
	}

	/** Returns the first words of an error of Redis, or null if there is none. */
	private static @Nullable String words(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (!firstWord(cause).isEmpty()) {
				return words(String.valueOf(cause.getMessage()));
			}
		}
		return null;
	}

	private static String words(String error) {
		String words = QUOTED.matcher(COMMAND.matcher(error).replaceFirst("$1 command")).replaceFirst("");
		int space = words.lastIndexOf(' ', LONGEST);
		String first = (words.length() > LONGEST) ? words.substring(0, (space > 0) ? space : LONGEST) : words;
		return LAST_WORD.matcher(first).replaceFirst("");
	}

	/** Returns the exception for a run that an open circuit breaker stops. */
	public static RateLimitStoreException circuitOpen() {
		return new RateLimitStoreException("Redis has been failing and is not asked", Kind.OPEN, null);
	}

	/** Returns whether a failure is an error of Redis that starts with a word. */
	public static boolean isReply(Throwable failure, String word) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (word.equals(firstWord(cause))) {
				return true;
			}
		}
		return false;
	}

	private static Kind kind(Throwable failure) {
		Kind kind = Kind.OTHER;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			String word = firstWord(cause);
			if (!word.isEmpty() && !PLATFORM.matcher(cause.getClass().getName()).lookingAt()) {
				return REPLIES.getOrDefault(word, Kind.OTHER);
			}
			Kind next = kindOf(cause.getClass());
			kind = (kind == Kind.OTHER || next == Kind.TIMEOUT) ? next : kind;
		}
		return kind;
	}

	/**
	 * Returns the kind of an exception that is no error of Redis: the connection failed,
	 * unless the program has a bug.
	 */
	private static Kind kindOf(Class<?> type) {
		String name = type.getName();
		if (name.endsWith("TimeoutException")) {
			return Kind.TIMEOUT;
		}
		if (name.startsWith("io.lettuce.core.cluster.")) {
			return Kind.CLUSTER;
		}
		return name.startsWith("java.lang.") ? Kind.OTHER : Kind.CONNECTION;
	}

	private static String firstWord(Throwable failure) {
		String message = failure.getMessage();
		Matcher reply = REPLY.matcher((message != null) ? message : "");
		return reply.matches() ? reply.group(1) : "";
	}

	private static Throwable unwrapped(Throwable failure) {
		boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
		return (wrapped && failure.getCause() != null) ? unwrapped(failure.getCause()) : failure;
	}

}
