package io.github.ratelimit.spring.key;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

	/** A key that an annotation may give a policy instead of the policy's own. */
	private static final Pattern OTHER_KEY = Pattern.compile(
			Policy.EVERYONE + "|(expression|" + KeyWord.pattern((word) -> word != KeyWord.GLOBAL) + "):.+",
			Pattern.DOTALL);

	/** A key of an expression or bean, of which more may be in use than words tell. */
	private static final Pattern UNTOLD_KEY = Pattern.compile("(^| \\+ )(expression:|" + KeyWord.BEAN.prefix() + ")");

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

	/** Returns whether a word may depend on the arguments of a call. */
	static boolean mayNeedArguments(String word, ExpressionScope scope) {
		return JoinedKey.words(word)
			.stream()
			.anyMatch((each) -> KeyWord.isExpression(each) ? scope.parse(each).usesArguments()
					: KeyWord.BEAN.matches(each));
	}

	/**
	 * Returns whether a word has the same key for all calls of a caller, as far as words
	 * tell.
	 */
	boolean isOfCaller(String word) {
		return JoinedKey.words(word).stream().allMatch(this::isWordOfCaller);
	}

	private boolean isWordOfCaller(String word) {
		if (word.equals(KeyWord.TENANT.form())) {
			return this.tenant.stream().allMatch((each) -> !each.equals(word) && isOfCaller(each));
		}
		return KeyWord.isExpression(word)
				? CallExpression.parse(word).usesOnly(Set.of(Variable.PRINCIPAL, Variable.USER))
				: Stream.of(KeyWord.GLOBAL, KeyWord.PATH, KeyWord.ROUTE, KeyWord.FORM)
					.noneMatch((row) -> row.matches(word));
	}

	/** Returns whether a client may choose the keys of a word, in all their parts. */
	boolean mayBeChosen(String word) {
		return JoinedKey.words(word).stream().noneMatch(this::isProven);
	}

	private boolean isProven(String word) {
		return word.equals(KeyWord.TENANT.form())
				? this.tenant.stream().noneMatch((each) -> each.equals(word) || mayBeChosen(each))
				: KeyWord.isProven(word);
	}

	/** Returns whether a word or an entry of a list calls a bean of the application. */
	boolean callsBean(String word) {
		return isOf(KeyWord.BEAN, word);
	}

	/** Returns whether a word or an entry of a list is a claim. */
	boolean readsClaim(String word) {
		return isOf(KeyWord.CLAIM, word);
	}

	private boolean isOf(KeyWord kind, String word) {
		return JoinedKey.words(word)
			.stream()
			.anyMatch((each) -> each.startsWith(kind.prefix())
					|| (!this.tenant.contains(each) && each.startsWith(KeyWord.TENANT.form())
							&& this.tenant.stream().anyMatch((part) -> isOf(kind, part))));
	}

	/** Returns the names of the path variables that a word names. */
	static Stream<String> pathVariables(String word) {
		return JoinedKey.words(word).stream().filter(KeyWord.PATH::matches).map(KeyWord.PATH::nameIn);
	}

	/** Returns whether a word is the route of a call, or joins it to others. */
	static boolean isOfRoute(String word) {
		return JoinedKey.words(word).stream().anyMatch(KeyWord.ROUTE::matches);
	}

	/** Returns whether a word, or one that it joins, has a key in rules alone. */
	static boolean isOnlyOfRules(String word) {
		return JoinedKey.words(word).stream().anyMatch(KeyWord::isOnlyOfRules);
	}

	/**
	 * Requires a word that has a key outside rules too.
	 * @throws IllegalArgumentException if it has none
	 */
	static void requireOfAllCalls(String word) {
		if (isOnlyOfRules(word)) {
			throw new IllegalArgumentException("'" + word
					+ "' is a key of rules alone; charge a policy with this key in 'ratelimit.rules', and write another key here");
		}
	}

	/** Returns the name of the bean that a word names, or null if it names none. */
	static @Nullable String beanName(String word) {
		return KeyWord.BEAN.matches(word) ? KeyWord.BEAN.nameIn(word) : null;
	}

	/** Returns the resolver of the client's address. */
	ClientIp clientIp() {
		return this.clientIp.get();
	}

	/** Returns a resolver of keys that begin with their word, or whose parts do. */
	KeyResolver prefixed(String word, ExpressionScope scope) {
		return joined(word, (each) -> single(each, scope));
	}

	/**
	 * Checks a word as far as possible without the arguments of a call.
	 * @throws IllegalArgumentException if it is invalid
	 */
	void check(String word, ExpressionScope scope) {
		KeyResolver unused = joined(word,
				(each) -> single(each, KeyWord.isExpression(each) ? scope.withAnyArguments() : scope));
	}

	private static KeyResolver joined(String word, Function<String, KeyResolver> single) {
		List<String> words = JoinedKey.words(word);
		if (words.size() == 1) {
			return single.apply(word);
		}
		requireJoinable(words);
		return new JoinedKey(words.stream().map((each) -> part(each, single)).toList());
	}

	/**
	 * Requires words that can be joined, each of which is valid on its own.
	 * @throws IllegalArgumentException if one is empty, twice there or the same for all
	 * calls
	 */
	private static void requireJoinable(List<String> words) {
		for (int i = 0; i < words.size(); i++) {
			String kind = kind(words.get(i));
			if (kind.isEmpty()) {
				throw new IllegalArgumentException("a plus joins two keys, as in principal + route");
			}
			if (words.subList(0, i).stream().map(KeyWords::kind).anyMatch(kind::equals)) {
				throw new IllegalArgumentException("'" + words.get(i) + "' is joined twice; remove one");
			}
			if (kind.equals(Policy.EVERYONE)) {
				throw new IllegalArgumentException("'" + kind + "' is the same for all calls; remove it");
			}
		}
	}

	private static KeyResolver part(String word, Function<String, KeyResolver> single) {
		try {
			return single.apply(word);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("its part '" + word + "' is wrong: " + ex.getMessage(), ex);
		}
	}

	private KeyResolver single(String word, ExpressionScope scope) {
		KeyResolver plain = resolver(word, scope);
		return word.equals(Policy.EVERYONE) ? plain : prefixed(kind(word), plain);
	}

	/**
	 * Returns the key of a policy as calls have it.
	 * @throws IllegalArgumentException if it begins with no word
	 */
	String canonical(Policy policy, String key) {
		if (isOfAny(policy.keys(), key) || key.equals(KeyResolvers.MISSING) || OTHER_KEY.matcher(key).matches()) {
			List<String> parts = JoinedKey.split(key);
			boolean isJoined = parts.size() > 1 && parts.stream().allMatch((part) -> OTHER_KEY.matcher(part).matches());
			return isJoined ? JoinedKey.join(parts.stream().map(this::spelled).toList()) : spelled(key);
		}
		throw new IllegalArgumentException(written(policy, policy.keys()));
	}

	/**
	 * Requires that a key may be one of the words' keys, as far as words tell.
	 * @throws IllegalArgumentException if it is of a kind that no word has
	 */
	static void requireKind(Policy policy, Collection<String> words, String key) {
		if (!isOfAny(words, key) && !key.equals(KeyResolvers.MISSING) && !UNTOLD_KEY.matcher(key).find()) {
			throw new IllegalArgumentException(written(policy, words));
		}
	}

	private static boolean isOfAny(Collection<String> words, String key) {
		return words.stream().anyMatch((word) -> isOf(JoinedKey.words(word), key));
	}

	private static boolean isOf(List<String> words, String key) {
		List<String> parts = (words.size() == 1) ? List.of(key) : JoinedKey.split(key);
		return words.size() == parts.size()
				&& IntStream.range(0, words.size()).allMatch((index) -> isOf(words.get(index), parts.get(index)));
	}

	private static boolean isOf(String word, String key) {
		return word.equals(Policy.EVERYONE) ? key.equals(word) : follows(kind(word) + ':', key);
	}

	private static String written(Policy policy, Collection<String> words) {
		return "a key of policy '" + policy.name() + "' is written as "
				+ words.stream().map(KeyWords::written).distinct().collect(Collectors.joining(" or "));
	}

	private static String written(String word) {
		return JoinedKey.words(word)
			.stream()
			.map((each) -> each.equals(Policy.EVERYONE) ? each : kind(each) + ":...")
			.collect(Collectors.joining(JoinedKey.JOIN));
	}

	private String spelled(String part) {
		return spelled(KeyWord.CLIENT_IP, spelled(KeyWord.HOST, part, HostName::of),
				(address) -> clientIp().keyOf(address));
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
		if (KeyWord.isExpression(word)) {
			return "expression";
		}
		return word.startsWith(KeyWord.HEADER.prefix()) ? word.toLowerCase(Locale.ROOT) : word;
	}

	/**
	 * Returns a resolver of keys without their word, which joins no others, for any call.
	 */
	KeyResolver plain(String word, ExpressionScope scope) {
		requireOfAllCalls(word);
		return resolver(word, scope);
	}

	private KeyResolver resolver(String word, ExpressionScope scope) {
		if (KeyWord.isExpression(word)) {
			return expression(scope.parse(word));
		}
		requireOneWord(word);
		return KeyWord.of(word).resolver(word, new Application(this.addresses, () -> tenant(scope), this.beans));
	}

	/** Requires that no part of the word's name looks like a word to join. */
	private static void requireOneWord(String word) {
		if (JoinedKey.words(word).size() > 1) {
			throw new IllegalArgumentException("only the key of a policy or an annotation joins others with a plus");
		}
		String last = word.substring(word.lastIndexOf('+') + 1);
		if (!last.equals(word) && KeyWord.isWord(last)) {
			throw new IllegalArgumentException(
					"to join keys, write spaces on both sides of the plus, as in principal + route");
		}
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
