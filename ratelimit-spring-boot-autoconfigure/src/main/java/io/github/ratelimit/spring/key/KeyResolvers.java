package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.Callers;
import io.github.ratelimit.Policy;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;
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

	private final Function<String, PlanResolver> plans;

	private final Supplier<RateLimitListener> listener;

	private final MissingKeys missing;

	/**
	 * Resolvers of an application.
	 * @param clientIp finds the addresses of clients; asked for where a key needs it
	 * @param beans finds the resolver bean of a name, or throws
	 * @param plans finds the resolver bean of a name for plans, or throws
	 * @param listener is told of every call that is refused for who its caller is, has no
	 * key or no cost; asked for where there is one
	 */
	public KeyResolvers(Supplier<ClientIp> clientIp, Function<String, KeyResolver> beans,
			Function<String, PlanResolver> plans, Supplier<RateLimitListener> listener) {
		this.clientIp = clientIp;
		this.beans = beans;
		this.plans = plans;
		this.listener = listener;
		this.missing = new MissingKeys((policy) -> listener.get().missingKey(policy));
	}

	/**
	 * What finds whom a policy limits.
	 * @param policy the policy
	 * @param words in place of the policy's keys, or these
	 * @param arguments the names of the arguments that expressions may look at
	 * @param place the method or property that says so, for the log
	 * @return the policy with its resolvers
	 * @throws IllegalArgumentException if a word is not understood
	 */
	public PolicyKey of(Policy policy, List<String> words, List<String> arguments, String place) {
		Callers callers = policy.callers();
		CallerLists lists = new CallerLists(this, this.clientIp, arguments);
		return new PolicyKey(policy, firstOf(words, arguments), plan(callers.plan(), arguments),
				lists.anyOf(callers.exempt(), false), lists.anyOf(callers.blocked(), true), this.listener,
				this.missing.at(place, policy, words));
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
		return (resolvers.size() == 1) ? resolvers.get(0) : (context) -> first(resolvers, context);
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

	/**
	 * Checks a word for plans as far as can be done without knowing the arguments.
	 * @param word as in {@link Callers#plan}
	 * @throws IllegalArgumentException if it is not understood
	 */
	public void checkPlan(String word) {
		if (word.startsWith(EXPRESSION)) {
			CallExpression.parse(word);
		}
		else {
			plan(word, List.of());
		}
	}

	/**
	 * Checks an entry of a list of callers as far as can be done without knowing the
	 * arguments.
	 * @param entry as in {@link Callers#exempt}
	 * @throws IllegalArgumentException if it is not understood
	 */
	public void checkEntry(String entry) {
		if (entry.startsWith(EXPRESSION)) {
			CallExpression.parse(entry);
		}
		else {
			new CallerLists(this, this.clientIp, List.of()).anyOf(List.of(entry), false);
		}
	}

	private PlanResolver plan(@Nullable String word, List<String> arguments) {
		if (word == null) {
			return (policy, key, call) -> null;
		}
		if (isNamed(word, BEAN)) {
			return this.plans.apply(word.substring(BEAN.length()));
		}
		if (word.startsWith(EXPRESSION)) {
			CallerExpression expression = CallerExpression.parse(word, arguments);
			return (policy, key, call) -> text(expression.value(call));
		}
		KeyResolver plain = plain(word, List.of());
		return (policy, key, call) -> plain.resolve(call);
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
		KeyResolver plain = plain(word, arguments);
		if (word.equals(Policy.EVERYONE)) {
			return plain;
		}
		String kind = word.startsWith(HEADER) ? word.toLowerCase(Locale.ROOT) : word;
		return named(word.startsWith(EXPRESSION) ? "expression" : kind, plain);
	}

	/** What a word answers, without the word. */
	KeyResolver plain(String word, List<String> arguments) {
		if (word.equals(Policy.EVERYONE)) {
			return (context) -> Policy.EVERYONE;
		}
		if (word.equals(CLIENT_IP)) {
			return this.clientIp.get();
		}
		if (word.equals(PRINCIPAL)) {
			return (context) -> context.caller().principal();
		}
		if (isNamed(word, HEADER)) {
			String header = word.substring(HEADER.length());
			return (context) -> context.caller().header(header);
		}
		if (isNamed(word, BEAN)) {
			return this.beans.apply(word.substring(BEAN.length()));
		}
		if (word.startsWith(EXPRESSION)) {
			CallExpression expression = CallExpression.parse(word).over(arguments);
			return (context) -> text(expression.evaluate(context.arguments()));
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
