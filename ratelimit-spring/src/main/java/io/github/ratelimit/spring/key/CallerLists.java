package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;

/**
 * A parser of the entries with which configuration lists callers: {@code ip:10.0.0.0/8},
 * {@code role:ADMIN}, a key with its word such as {@code principal:alice} and
 * {@code header:X-Api-Key:4711}, or an expression.
 */
final class CallerLists {

	private static final String IP = "ip:";

	/** The prefix that Spring Security adds to roles. */
	private static final String ROLE_PREFIX = "ROLE_";

	private static final Pattern ROLE = Pattern.compile("role:(.+)");

	private static final Pattern KEY = Pattern.compile("(" + KeyWord.pattern(KeyWord::isListed) + "):(.+)");

	/** The forms of entries, other than expressions. */
	static final List<String> FORMS = Stream.concat(Stream.of("ip:RANGE", "role:NAME"), KeyWord.entries().stream())
		.toList();

	private final KeyWords words;

	private final ExpressionScope scope;

	/**
	 * Creates a parser.
	 * @param words the words for keys
	 * @param scope the names that expressions may use
	 */
	CallerLists(KeyWords words, ExpressionScope scope) {
		this.words = words;
		this.scope = scope;
	}

	/**
	 * Returns a condition that matches the callers in a list.
	 * @param entries the entries of the list
	 * @param otherwise the result of an expression that is neither true nor false
	 */
	Predicate<CallContext> anyOf(List<String> entries, boolean otherwise) {
		List<Predicate<CallContext>> conditions = entries.stream().map((entry) -> condition(entry, otherwise)).toList();
		return conditions.isEmpty() ? (call) -> false
				: (call) -> conditions.stream().anyMatch((condition) -> condition.test(call));
	}

	/**
	 * Returns whether an entry names the caller of a key, as far as that is known without
	 * a call.
	 */
	static boolean contains(String entry, String key) {
		if (entry.startsWith(IP)) {
			String addresses = KeyWord.CLIENT_IP.prefix();
			return key.startsWith(addresses)
					&& ClientIp.isWithin(entry.substring(IP.length()), key.substring(addresses.length()));
		}
		Matcher listed = KEY.matcher(entry);
		return listed.matches() && key.equals(KeyWords.kind(listed.group(1)) + ':' + listed.group(2));
	}

	/** Returns whether an entry is a role. */
	static boolean isRole(String entry) {
		return ROLE.matcher(entry).matches();
	}

	private Predicate<CallContext> condition(String entry, boolean otherwise) {
		if (KeyWord.isExpression(entry)) {
			ScopedExpression expression = this.scope.parseCondition(entry);
			return (call) -> Objects.requireNonNullElse(expression.holds(call), otherwise);
		}
		if (entry.startsWith(IP)) {
			return this.words.clientIp().within(entry.substring(IP.length()));
		}
		Matcher role = ROLE.matcher(entry);
		if (role.matches()) {
			requireNoPrefix(role.group(1));
			return (call) -> call.caller().hasRole(role.group(1));
		}
		return hasKey(entry);
	}

	private static void requireNoPrefix(String role) {
		if (role.startsWith(ROLE_PREFIX)) {
			throw new IllegalArgumentException("a role is written without '" + ROLE_PREFIX + "'; write role:"
					+ role.substring(ROLE_PREFIX.length()));
		}
	}

	private Predicate<CallContext> hasKey(String entry) {
		Matcher key = KEY.matcher(entry);
		if (!key.matches()) {
			throw new IllegalArgumentException("a caller is " + String.join(", ", FORMS) + KeyWord.OR_EXPRESSION);
		}
		KeyResolver resolver = this.words.plain(key.group(1), this.scope);
		return (call) -> key.group(2).equals(resolver.resolve(call));
	}

}
