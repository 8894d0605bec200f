package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.policy.Policy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The words that configuration and annotations use for keys, and a parser of them.
 */
final class KeyWords {

	private static final String EXPRESSION = "#";

	private static final String CLIENT_IP = "client-ip";

	private static final String PRINCIPAL = "principal";

	private static final String HEADER = "header:";

	private static final String BEAN = "bean:";

	/** A token of RFC 9110, section 5.6.2. */
	private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** A key that an annotation may give a policy instead of the policy's own. */
	private static final Pattern OTHER_KEY = Pattern
		.compile("global|(client-ip|principal|expression|header:[^:]+|bean:[^:]+):.+", Pattern.DOTALL);

	private final Supplier<ClientIp> clientIp;

	private final Supplier<? extends KeyResolver> addresses;

	private final Function<String, KeyResolver> beans;

	/**
	 * Creates a parser.
	 * @param clientIp supplies the address resolver if a word needs it
	 * @param addresses supplies the resolver of the addresses of calls
	 * @param beans returns the resolver bean of a name, or throws
	 */
	KeyWords(Supplier<ClientIp> clientIp, Supplier<? extends KeyResolver> addresses,
			Function<String, KeyResolver> beans) {
		this.clientIp = clientIp;
		this.addresses = addresses;
		this.beans = beans;
	}

	/** Returns whether a word is an expression. */
	static boolean isExpression(String word) {
		return word.startsWith(EXPRESSION);
	}

	/** Returns whether any of the words may depend on the arguments of a call. */
	static boolean mayNeedArguments(List<String> words) {
		return words.stream().anyMatch((word) -> isExpression(word) || word.startsWith(BEAN));
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
	KeyResolver prefixed(String word, List<String> arguments) {
		KeyResolver plain = plain(word, arguments);
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
	KeyResolver plain(String word, List<String> arguments) {
		if (word.equals(Policy.EVERYONE)) {
			return (context) -> Policy.EVERYONE;
		}
		if (word.equals(CLIENT_IP)) {
			return this.addresses.get();
		}
		if (word.equals(PRINCIPAL)) {
			return (context) -> context.caller().principal();
		}
		if (isNamed(word, HEADER)) {
			String header = headerName(word);
			return (context) -> context.caller().header(header);
		}
		String bean = beanName(word);
		if (bean != null) {
			return this.beans.apply(bean);
		}
		if (isExpression(word)) {
			CallExpression expression = CallExpression.parse(word).over(arguments);
			return (context) -> text(expression.evaluate(context.arguments()));
		}
		throw new IllegalArgumentException("a key is client-ip, principal, header:NAME, global, bean:NAME, "
				+ "or an expression that starts with #");
	}

	private static String headerName(String word) {
		String name = word.substring(HEADER.length());
		if (!HEADER_NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' is no name of a header; write " + HEADER + name.strip());
		}
		return name;
	}

	/** Returns a value as text. */
	static @Nullable String text(@Nullable Object value) {
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
