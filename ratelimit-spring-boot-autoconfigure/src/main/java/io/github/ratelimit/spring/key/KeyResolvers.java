package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.Policy;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Makes resolvers of the words that configuration and annotations use for keys. What they
 * resolve begins with the word, so that an address never equals a user of that name:
 * {@code client-ip:192.0.2.1}, {@code principal:alice}, {@code header:x-api-key:4711},
 * {@code bean:tenant:acme}, {@code expression:42}, {@code global}.
 */
public final class KeyResolvers {

	private static final String CLIENT_IP = "client-ip";

	private static final String PRINCIPAL = "principal";

	private static final String HEADER = "header:";

	private static final String BEAN = "bean:";

	private static final String EXPRESSION = "#";

	private final Supplier<ClientIp> clientIp;

	private final Function<String, KeyResolver> beans;

	/**
	 * Resolvers of an application.
	 * @param clientIp finds the addresses of clients; asked for where a key needs it
	 * @param beans finds the resolver bean of a name, or throws
	 */
	public KeyResolvers(Supplier<ClientIp> clientIp, Function<String, KeyResolver> beans) {
		this.clientIp = clientIp;
		this.beans = beans;
	}

	/**
	 * The first of several resolvers that answers.
	 * @param words at least one, as in {@code RateLimited#key}
	 * @param arguments the names of the arguments that expressions may look at
	 * @return a resolver that answers if one of them does
	 * @throws IllegalArgumentException if a word is not understood
	 */
	public KeyResolver firstOf(List<String> words, List<String> arguments) {
		List<KeyResolver> resolvers = words.stream().map((word) -> resolver(word, arguments)).toList();
		return (context) -> first(resolvers, context);
	}

	/**
	 * Checks words as far as can be done without knowing the arguments of a call.
	 * @param words as in {@code RateLimited#key}
	 * @throws IllegalArgumentException if one is not understood
	 */
	public void check(List<String> words) {
		for (String word : words) {
			if (word.startsWith(EXPRESSION)) {
				CallExpression.parse(word);
			}
			else {
				resolver(word, List.of());
			}
		}
	}

	/**
	 * Whether a key may depend on the arguments of a call: that of an expression does,
	 * and a resolver bean may look at them.
	 * @param words as in {@code RateLimited#key}
	 * @return whether one of them needs the arguments
	 */
	public static boolean mayNeedArguments(List<String> words) {
		return words.stream().anyMatch((word) -> word.startsWith(EXPRESSION) || word.startsWith(BEAN));
	}

	private static @Nullable String first(List<KeyResolver> resolvers, CallContext context) {
		for (KeyResolver resolver : resolvers) {
			String key = resolver.resolve(context);
			if (key != null) {
				return key;
			}
		}
		return null;
	}

	private KeyResolver resolver(String word, List<String> arguments) {
		if (word.equals(Policy.EVERYONE)) {
			return (context) -> Policy.EVERYONE;
		}
		if (word.equals(CLIENT_IP)) {
			return named(CLIENT_IP, this.clientIp.get());
		}
		if (word.equals(PRINCIPAL)) {
			return named(PRINCIPAL, (context) -> context.caller().principal());
		}
		if (isNamed(word, HEADER)) {
			String header = word.substring(HEADER.length());
			return named(word.toLowerCase(Locale.ROOT), (context) -> context.caller().header(header));
		}
		if (isNamed(word, BEAN)) {
			return named(word, this.beans.apply(word.substring(BEAN.length())));
		}
		if (word.startsWith(EXPRESSION)) {
			CallExpression expression = CallExpression.parse(word).over(arguments);
			return named("expression", (context) -> text(expression.evaluate(context.arguments())));
		}
		throw new IllegalArgumentException("a key is client-ip, principal, header:NAME, global, bean:NAME, "
				+ "or an expression that starts with #");
	}

	private static boolean isNamed(String word, String kind) {
		return word.startsWith(kind) && word.length() > kind.length();
	}

	private static KeyResolver named(String kind, KeyResolver resolver) {
		return (context) -> {
			String key = resolver.resolve(context);
			return StringUtils.hasText(key) ? kind + ':' + key : null;
		};
	}

	private static @Nullable String text(@Nullable Object value) {
		return (value != null) ? value.toString() : null;
	}

}
