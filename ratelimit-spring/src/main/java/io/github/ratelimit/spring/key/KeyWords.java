package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The words that configuration and annotations use for keys, and a parser of them.
 */
final class KeyWords {

	private static final String EXPRESSION = "#";

	private static final String CLIENT_IP = "client-ip";

	private static final String PRINCIPAL = "principal";

	private static final String TENANT = "tenant";

	private static final String SESSION = "session";

	private static final String HEADER = "header:";

	private static final String BEAN = "bean:";

	/** The words that are followed by a name, and read it from a request or its user. */
	private static final Map<String, BiFunction<CallContext, String, @Nullable Object>> NAMED = Map.of("claim:",
			(call, name) -> call.caller().claim(name), "cookie:", inRequest(CallRequest::cookie), "query:",
			inRequest(CallRequest::query), "path:", inRequest((request, name) -> request.pathVariables().get(name)));

	/** The words for keys, other than expressions, as a regular expression. */
	static final String ANY_NAMED = "(?:header|claim|cookie|query|path|bean):[^:]+";

	/** A token of RFC 9110, section 5.6.2. */
	private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** A key that an annotation may give a policy instead of the policy's own. */
	private static final Pattern OTHER_KEY = Pattern
		.compile("global|(client-ip|principal|tenant|session|expression|" + ANY_NAMED + "):.+", Pattern.DOTALL);

	private final Supplier<ClientIp> clientIp;

	private final Supplier<? extends KeyResolver> addresses;

	private final Function<String, KeyResolver> beans;

	private final List<String> tenant;

	/**
	 * Creates a parser.
	 * @param clientIp supplies the address resolver if a word needs it
	 * @param addresses supplies the resolver of the addresses of calls
	 * @param beans returns the resolver bean of a name, or throws
	 * @param tenant the words whose first key is that of the word {@code tenant}
	 */
	KeyWords(Supplier<ClientIp> clientIp, Supplier<? extends KeyResolver> addresses,
			Function<String, KeyResolver> beans, List<String> tenant) {
		this.clientIp = clientIp;
		this.addresses = addresses;
		this.beans = beans;
		this.tenant = tenant;
	}

	/** Returns whether a word is an expression. */
	static boolean isExpression(String word) {
		return word.startsWith(EXPRESSION);
	}

	/** Returns whether a word may depend on the arguments of a call. */
	static boolean mayNeedArguments(String word, ExpressionScope scope) {
		return isExpression(word) ? scope.parse(word).usesArguments() : word.startsWith(BEAN);
	}

	/** Returns the name of the bean that a word names, or null if it names none. */
	static @Nullable String beanName(String word) {
		return isNamed(word, BEAN) ? word.substring(BEAN.length()) : null;
	}

	/** Returns the resolver of the client's address. */
	ClientIp clientIp() {
		return this.clientIp.get();
	}

	/** Returns a resolver of keys that begin with their word. */
	KeyResolver prefixed(String word, ExpressionScope scope) {
		KeyResolver plain = plain(word, scope);
		return word.equals(Policy.EVERYONE) ? plain : prefixed(kind(word), plain);
	}

	/**
	 * Returns the key of a policy as calls have it.
	 * @throws IllegalArgumentException if it begins with no word
	 */
	String canonical(Policy policy, String key) {
		for (String word : policy.keys()) {
			if (word.equals(Policy.EVERYONE) ? key.equals(word) : isNamed(key, kind(word) + ':')) {
				return word.equals(CLIENT_IP) ? prefixed(CLIENT_IP, key) : key;
			}
		}
		if (key.equals(KeyResolvers.MISSING) || OTHER_KEY.matcher(key).matches()) {
			return key.startsWith(CLIENT_IP) ? prefixed(CLIENT_IP, key) : key;
		}
		throw new IllegalArgumentException("a key of policy '" + policy.name() + "' is written as "
				+ policy.keys()
					.stream()
					.map((word) -> word.equals(Policy.EVERYONE) ? word : kind(word) + ":...")
					.collect(Collectors.joining(" or ")));
	}

	private String prefixed(String kind, String key) {
		return kind + ':' + this.clientIp.get().keyOf(key.substring(kind.length() + 1));
	}

	/** Returns the word with which keys begin. */
	static String kind(String word) {
		if (isExpression(word)) {
			return "expression";
		}
		return word.startsWith(HEADER) ? word.toLowerCase(Locale.ROOT) : word;
	}

	/** Returns a resolver of keys without their word. */
	KeyResolver plain(String word, ExpressionScope scope) {
		return switch (word) {
			case Policy.EVERYONE -> (context) -> Policy.EVERYONE;
			case CLIENT_IP -> this.addresses.get();
			case PRINCIPAL -> (context) -> context.caller().principal();
			case TENANT -> tenant(scope);
			case SESSION -> (context) -> context.caller().session();
			default -> isExpression(word) ? expression(scope.parse(word)) : named(word);
		};
	}

	private static KeyResolver expression(ScopedExpression expression) {
		return (context) -> text(expression.value(context));
	}

	private KeyResolver tenant(ExpressionScope scope) {
		if (this.tenant.isEmpty() || this.tenant.contains(TENANT)) {
			throw new IllegalArgumentException(
					"'tenant' is not defined; set 'ratelimit.tenant' to where tenants are named, such as claim:tenant");
		}
		return firstOf(this.tenant.stream().map((word) -> plain(word, scope)).toList());
	}

	/** Returns a resolver of the first key that is there. */
	static KeyResolver firstOf(List<KeyResolver> resolvers) {
		return (resolvers.size() == 1) ? resolvers.get(0)
				: (context) -> resolvers.stream()
					.map((resolver) -> resolver.resolve(context))
					.filter(StringUtils::hasText)
					.findFirst()
					.orElse(null);
	}

	private KeyResolver named(String word) {
		if (isNamed(word, HEADER)) {
			String header = headerName(word);
			return (context) -> context.caller().header(header);
		}
		String bean = beanName(word);
		if (bean != null) {
			return this.beans.apply(bean);
		}
		String kind = word.substring(0, word.indexOf(':') + 1);
		BiFunction<CallContext, String, @Nullable Object> source = NAMED.get(kind);
		if (source == null || !isNamed(word, kind)) {
			throw new IllegalArgumentException(
					"a key is client-ip, principal, tenant, session, header:NAME, claim:NAME, cookie:NAME, query:NAME, "
							+ "path:NAME, global, bean:NAME, or an expression that starts with #");
		}
		String name = word.substring(kind.length());
		return (context) -> text(source.apply(context, name));
	}

	private static BiFunction<CallContext, String, @Nullable Object> inRequest(
			BiFunction<CallRequest, String, @Nullable Object> source) {
		return (call, name) -> (call.request() != null) ? source.apply(call.request(), name) : null;
	}

	private static String headerName(String word) {
		String name = word.substring(HEADER.length());
		if (!HEADER_NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' is no name of a header; write " + HEADER + name.strip());
		}
		return name;
	}

	/** Returns a value as text: of a user, the name, which all its calls share. */
	static @Nullable String text(@Nullable Object value) {
		if (value instanceof Principal user) {
			return user.getName();
		}
		return (value != null) ? value.toString() : null;
	}

	private static boolean isNamed(String word, String kind) {
		return word.startsWith(kind) && word.length() > kind.length();
	}

	private static KeyResolver prefixed(String kind, KeyResolver resolver) {
		return (context) -> {
			String key = resolver.resolve(context);
			return StringUtils.hasText(key) ? kind + ':' + key : null;
		};
	}

}
