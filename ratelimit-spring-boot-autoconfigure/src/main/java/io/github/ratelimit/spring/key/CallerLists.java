package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;

/**
 * Makes conditions of the entries with which configuration lists callers:
 * {@code ip:10.0.0.0/8}, {@code role:ADMIN}, a key with its word such as
 * {@code principal:alice} and {@code header:X-Api-Key:4711}, or an expression.
 */
final class CallerLists {

	private static final String IP = "ip:";

	private static final Pattern ROLE = Pattern.compile("role:(.+)");

	private static final Pattern KEY = Pattern.compile("(principal|header:[^:]+|bean:[^:]+):(.+)");

	private final KeyResolvers keys;

	private final Supplier<ClientIp> clientIp;

	private final List<String> arguments;

	CallerLists(KeyResolvers keys, Supplier<ClientIp> clientIp, List<String> arguments) {
		this.keys = keys;
		this.clientIp = clientIp;
		this.arguments = arguments;
	}

	/**
	 * Whether a call's caller is in a list.
	 * @param otherwise what holds where an expression is neither true nor false
	 */
	Predicate<CallContext> anyOf(List<String> entries, boolean otherwise) {
		List<Predicate<CallContext>> conditions = entries.stream().map((entry) -> condition(entry, otherwise)).toList();
		return conditions.isEmpty() ? (call) -> false
				: (call) -> conditions.stream().anyMatch((condition) -> condition.test(call));
	}

	private Predicate<CallContext> condition(String entry, boolean otherwise) {
		if (entry.startsWith("#")) {
			CallerExpression expression = CallerExpression.parse(entry, this.arguments);
			return (call) -> (expression.value(call) instanceof Boolean holds) ? holds : otherwise;
		}
		if (entry.startsWith(IP)) {
			return this.clientIp.get().within(entry.substring(IP.length()));
		}
		Matcher role = ROLE.matcher(entry);
		if (role.matches()) {
			return (call) -> call.caller().hasRole(role.group(1));
		}
		return hasKey(entry);
	}

	private Predicate<CallContext> hasKey(String entry) {
		Matcher key = KEY.matcher(entry);
		if (!key.matches()) {
			throw new IllegalArgumentException("a caller is ip:RANGE, role:NAME, principal:NAME, header:NAME:VALUE, "
					+ "bean:NAME:KEY, or an expression that starts with #");
		}
		KeyResolver resolver = this.keys.plain(key.group(1), List.of());
		return (call) -> key.group(2).equals(resolver.resolve(call));
	}

}
