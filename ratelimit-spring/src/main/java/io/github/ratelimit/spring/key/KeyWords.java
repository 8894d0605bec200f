package io.github.ratelimit.spring.key;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.CallExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.expression.Variable;
import io.github.ratelimit.spring.key.KeyWord.Application;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A parser of the words that configuration and annotations use for keys.
 */
final class KeyWords {

	private static final String EXPRESSION = "#";

	/** A key that an annotation may give a policy instead of the policy's own. */
	private static final Pattern OTHER_KEY = Pattern.compile(
			Policy.EVERYONE + "|(expression|" + KeyWord.pattern((word) -> word != KeyWord.GLOBAL) + "):.+",
			Pattern.DOTALL);

	/** A key of an expression or bean, of which more may be in use than words tell. */
	private static final Pattern UNTOLD_KEY = Pattern.compile("expression:|" + KeyWord.BEAN.prefix());

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
		return isExpression(word) ? scope.parse(word).usesArguments() : word.startsWith(KeyWord.BEAN.prefix());
	}

	/**
	 * Returns whether a word has the same key for all calls of a caller, as far as words
	 * tell.
	 */
	boolean isOfCaller(String word) {
		if (word.equals(KeyWord.TENANT.form())) {
			return this.tenant.stream().allMatch((each) -> !each.equals(word) && isOfCaller(each));
		}
		return isExpression(word) ? CallExpression.parse(word).usesOnly(Set.of(Variable.PRINCIPAL, Variable.USER))
				: !word.equals(Policy.EVERYONE) && !KeyWord.PATH.matches(word);
	}

	/** Returns the name of the bean that a word names, or null if it names none. */
	static @Nullable String beanName(String word) {
		return KeyWord.BEAN.matches(word) ? KeyWord.BEAN.nameIn(word) : null;
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
		if (isOfAny(policy.keys(), key) || key.equals(KeyResolvers.MISSING) || OTHER_KEY.matcher(key).matches()) {
			return spelled(KeyWord.CLIENT_IP, spelled(KeyWord.HOST, key, HostName::of),
					(address) -> clientIp().keyOf(address));
		}
		throw new IllegalArgumentException(written(policy, policy.keys()));
	}

	/**
	 * Requires that a key may be one of the words' keys, as far as words tell.
	 * @throws IllegalArgumentException if it is of a kind that no word has
	 */
	static void requireKind(Policy policy, Collection<String> words, String key) {
		if (!isOfAny(words, key) && !key.equals(KeyResolvers.MISSING) && !UNTOLD_KEY.matcher(key).lookingAt()) {
			throw new IllegalArgumentException(written(policy, words));
		}
	}

	private static boolean isOfAny(Collection<String> words, String key) {
		return words.stream()
			.anyMatch((word) -> word.equals(Policy.EVERYONE) ? key.equals(word) : follows(kind(word) + ':', key));
	}

	private static String written(Policy policy, Collection<String> words) {
		return "a key of policy '" + policy.name() + "' is written as "
				+ words.stream()
					.map((word) -> word.equals(Policy.EVERYONE) ? word : kind(word) + ":...")
					.distinct()
					.collect(Collectors.joining(" or "));
	}

	private static String spelled(KeyWord word, String key, Function<String, @Nullable String> spelling) {
		return follows(word.prefix(), key) ? word.prefix() + spelling.apply(key.substring(word.prefix().length()))
				: key;
	}

	private static boolean follows(String prefix, String key) {
		return key.startsWith(prefix) && key.length() > prefix.length();
	}

	/** Returns the word with which keys begin. */
	static String kind(String word) {
		if (isExpression(word)) {
			return "expression";
		}
		return word.startsWith(KeyWord.HEADER.prefix()) ? word.toLowerCase(Locale.ROOT) : word;
	}

	/** Returns a resolver of keys without their word. */
	KeyResolver plain(String word, ExpressionScope scope) {
		return isExpression(word) ? expression(scope.parse(word))
				: KeyWord.of(word).resolver(word, new Application(this.addresses, () -> tenant(scope), this.beans));
	}

	private static KeyResolver expression(ScopedExpression expression) {
		return (context) -> KeyWord.text(expression.value(context));
	}

	private KeyResolver tenant(ExpressionScope scope) {
		if (this.tenant.isEmpty() || this.tenant.contains(KeyWord.TENANT.form())) {
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

	private static KeyResolver prefixed(String kind, KeyResolver resolver) {
		return (context) -> {
			String key = resolver.resolve(context);
			return StringUtils.hasText(key) ? kind + ':' + key : null;
		};
	}

}
