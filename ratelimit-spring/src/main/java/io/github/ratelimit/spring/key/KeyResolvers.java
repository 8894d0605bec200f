package io.github.ratelimit.spring.key;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.Memo;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.CallExpression;
import io.github.ratelimit.spring.expression.CallerPermits;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.expression.Variable;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * A factory of resolvers for the words that configuration and annotations use for keys. A
 * resolved key begins with its word, so that an address never equals a user of that name:
 * {@code client-ip:192.0.2.1}, {@code principal:alice}, {@code header:x-api-key:4711},
 * {@code bean:tenant:acme}, {@code expression:42}, {@code global}.
 */
public final class KeyResolvers {

	/**
	 * The key of calls for which no key resolves, where a policy counts them together.
	 */
	public static final String MISSING = "missing";

	/** The variables that have a value in every scope after Spring Security. */
	private static final Set<Variable> CALL = Set.of(Variable.REQUEST, Variable.PRINCIPAL, Variable.USER);

	private final KeyWords words;

	private final CallerBeans beans;

	private final ExpressionScope scope;

	private final Supplier<RateLimitListener> listener;

	private final MissingKeys missing;

	private final Bans bans;

	/**
	 * Creates the resolvers of an application.
	 * @param clientIp supplies the address resolver if a key needs it
	 * @param beans the resolver beans that words may name
	 * @param tenant the words of which the first key is that of {@code tenant}
	 * @param listener supplies the listener that is notified of rejected callers, missing
	 * keys and invalid costs
	 * @param findings receives likely mistakes that calls show
	 */
	public KeyResolvers(Supplier<ClientIp> clientIp, CallerBeans beans, List<String> tenant,
			Supplier<RateLimitListener> listener, Findings findings) {
		Supplier<ProxiedClients> addresses = SingletonSupplier.of(() -> new ProxiedClients(clientIp.get(), findings));
		this.words = new KeyWords(clientIp, addresses, beans.keys(), tenant);
		this.beans = beans;
		this.scope = ExpressionScope.of((call) -> addresses.get().resolve(call));
		this.listener = listener;
		this.missing = new MissingKeys((policy) -> listener.get().missingKey(policy));
		this.bans = new Bans(clientIp);
	}

	private KeyResolvers(KeyResolvers other, ExpressionScope scope) {
		this.words = other.words;
		this.beans = other.beans;
		this.scope = scope;
		this.listener = other.listener;
		this.missing = other.missing;
		this.bans = other.bans;
	}

	/**
	 * Returns the resolvers of an application in which variables have a value for no
	 * call.
	 * @param absent the variables
	 * @return resolvers whose expressions cannot use them
	 */
	public KeyResolvers without(Set<Variable> absent) {
		return new KeyResolvers(this, this.scope.without(absent));
	}

	/**
	 * Returns the callers who are banned from all policies.
	 * @return the bans, which apply to the policies of these resolvers
	 */
	public Bans bans() {
		return this.bans;
	}

	/**
	 * Returns the scope of expressions about calls, without arguments.
	 * @return the scope
	 */
	public ExpressionScope scope() {
		return this.scope;
	}

	/**
	 * Returns a policy that a rule charges, with the resolvers of its callers. Its key
	 * may be one of rules alone.
	 * @param policy the policy
	 * @param scope the names that expressions may use
	 * @param place the property of the rule, for the log
	 * @return the policy with its resolvers
	 * @throws IllegalArgumentException if a word is invalid
	 */
	public PolicyKey ofRule(Policy policy, ExpressionScope scope, String place) {
		return resolved(policy, policy.keys(), scope, place);
	}

	/**
	 * Returns the policy with the resolvers of its callers.
	 * @param policy the policy
	 * @param words the words for the key, the policy's or others
	 * @param scope the names that expressions may use; those of plan and lists have the
	 * scope of a policy
	 * @param place the method or property that charges the policy, for the log
	 * @return the policy with its resolvers
	 * @throws IllegalArgumentException if a word is invalid
	 */
	public PolicyKey of(Policy policy, List<String> words, ExpressionScope scope, String place) {
		words.forEach(KeyWords::requireOfAllCalls);
		return resolved(policy, words, scope, place);
	}

	private PolicyKey resolved(Policy policy, List<String> words, ExpressionScope scope, String place) {
		CallerSelectors callers = policy.callers();
		ExpressionScope here = scope.at("the policy '" + policy.name() + "', which " + place + " charges");
		CallerLists lists = new CallerLists(this.words, here.ofPolicy());
		return new PolicyKey(policy, firstOf(words, here), plan(callers.plan(), here.ofPolicy()),
				permits(callers.permits(), here.ofPolicy(), policy.name(), place),
				new PolicyKey.CallerConditions(lists.anyOf(callers.exempt(), false),
						lists.anyOf(callers.blocked(), true), this.bans),
				this.listener, this.missing.at(place, policy, words), new Memo<>(256),
				expressions(policy, words, scope).toList(),
				Stream.concat(words.stream(), selectors(policy)).anyMatch(this.words::callsBean),
				Stream.concat(words.stream(), selectors(policy)).anyMatch(this::isOfUser));
	}

	private boolean isOfUser(String word) {
		return this.words.readsClaim(word) || CallerLists.isRole(word);
	}

	private static Stream<ScopedExpression> expressions(Policy policy, List<String> words, ExpressionScope scope) {
		CallerSelectors callers = policy.callers();
		Stream<String> values = Stream.concat(words.stream().flatMap((word) -> parts(word).stream()),
				Stream.ofNullable(callers.plan()));
		Stream<String> conditions = Stream.concat(callers.exempt().stream(), callers.blocked().stream());
		return Stream
			.of(values.filter(KeyWord::isExpression).map(scope::parse),
					conditions.filter(KeyWord::isExpression).map(scope.ofPolicy()::parseCondition),
					wordOfPermits(callers).filter(KeyWord::isExpression).map(scope.ofPolicy()::parseExact))
			.flatMap((expressions) -> expressions);
	}

	/**
	 * Returns a resolver that tries several words in order.
	 * @param words at least one, as in {@code RateLimited#key}
	 * @return a resolver of the first key that is there
	 * @throws IllegalArgumentException if a word is invalid
	 */
	public KeyResolver firstOf(List<String> words) {
		words.forEach(KeyWords::requireOfAllCalls);
		return firstOf(words, this.scope);
	}

	KeyResolver firstOf(List<String> words, ExpressionScope scope) {
		return KeyWords.firstOf(words.stream().map((word) -> this.words.prefixed(word, scope)).toList());
	}

	/**
	 * Returns the key of a policy as calls have it.
	 * @param policy the policy
	 * @param key the key, which begins with one of the policy's words
	 * @return the key, with an address in its one spelling
	 * @throws IllegalArgumentException if the policy has no such keys
	 */
	public String canonical(Policy policy, String key) {
		return this.words.canonical(policy, key);
	}

	/**
	 * Requires that a key may be one of the keys of some words, as far as words tell.
	 * @param policy the policy that the words charge
	 * @param words the words for its keys
	 * @param key a key as calls have it
	 * @throws IllegalArgumentException if it is of a kind that no word has
	 */
	public void requireKind(Policy policy, Collection<String> words, String key) {
		KeyWords.requireKind(policy, words, key);
	}

	/**
	 * Returns whether a list of callers contains a key, as far as that is known without a
	 * call.
	 * @param entries as in {@link CallerSelectors#exempt}
	 * @param key a key as calls have it
	 * @return whether an address, principal, header or bean key is listed
	 */
	public boolean isListed(Collection<String> entries, String key) {
		return entries.stream()
			.anyMatch((entry) -> JoinedKey.split(key).stream().anyMatch((part) -> CallerLists.contains(entry, part)));
	}

	/**
	 * Checks words as far as possible without the arguments of a call.
	 * @param words as in {@code RateLimited#key}
	 * @throws IllegalArgumentException if one is invalid
	 */
	public void check(List<String> words) {
		words.forEach((word) -> this.words.check(word, this.scope));
	}

	/**
	 * Returns whether the key, plan or lists of a policy may depend on the arguments of a
	 * call, as some expressions and all resolver beans do.
	 * @param policy the policy
	 * @param words the words for the key, the policy's or others
	 * @param scope the names that expressions may use; those of plan and lists have the
	 * scope of a policy
	 * @return whether one of them may need the arguments
	 */
	public boolean mayNeedArguments(Policy policy, List<String> words, ExpressionScope scope) {
		return words.stream().anyMatch((word) -> KeyWords.mayNeedArguments(word, scope))
				|| selectors(policy).anyMatch((word) -> KeyWords.mayNeedArguments(word, scope.ofPolicy()));
	}

	/**
	 * Returns whether a policy has the same key for all calls of a caller, whatever they
	 * call, as far as words tell.
	 * @param policy the policy
	 * @return whether neither the key depends on the request, nor anything on arguments
	 */
	public boolean isOfCaller(Policy policy) {
		return policy.keys().stream().allMatch(this.words::isOfCaller) && selectors(policy)
			.allMatch((word) -> !KeyWord.isExpression(word) || CallExpression.parse(word).usesOnly(CALL));
	}

	private static Stream<String> wordOfPermits(CallerSelectors callers) {
		OwnPermits own = callers.permits();
		return (own != null) ? Stream.of(own.from()) : Stream.empty();
	}

	/** Returns the words for the plan, the permits and the lists of callers. */
	private static Stream<String> selectors(Policy policy) {
		CallerSelectors callers = policy.callers();
		return Stream
			.of(Stream.ofNullable(callers.plan()), wordOfPermits(callers), callers.exempt().stream(),
					callers.blocked().stream())
			.flatMap((selectors) -> selectors);
	}

	/**
	 * Returns whether a word has no key before Spring Security has authenticated the
	 * user.
	 * @param word as in {@code RateLimited#key}
	 * @return whether the user alone has the key, or a part of it
	 */
	public static boolean needsUser(String word) {
		return parts(word).stream().anyMatch(KeyWord::needsUser);
	}

	/**
	 * Returns whether a client may be able to choose the keys of a word, and have one of
	 * another caller. Of expressions and beans, that is not known.
	 * @param word as in {@code RateLimited#key}
	 * @return whether no part of such a key is known to the server or proven by the user
	 */
	public boolean mayBeChosen(String word) {
		return this.words.mayBeChosen(word);
	}

	/**
	 * Returns whether a client may be able to choose the permits of its limit. Of beans,
	 * that is not known, and expressions about the user alone are proven.
	 * @param permits resolves the permits
	 * @return whether the number may come from a part of the request
	 */
	public boolean mayBeChosen(OwnPermits permits) {
		return KeyWord.isExpression(permits.from())
				? !CallExpression.parse(permits.from()).usesOnly(Set.of(Variable.PRINCIPAL, Variable.USER))
				: KeyWords.beanName(permits.from()) == null && mayBeChosen(permits.from());
	}

	/**
	 * Returns the path variables that a word needs.
	 * @param word as in {@code RateLimited#key}
	 * @return the names of the variables, also of those that are parts of a key
	 */
	public static Stream<String> pathVariables(String word) {
		return KeyWords.pathVariables(word);
	}

	/**
	 * Returns the words that a word joins.
	 * @param word as in {@code RateLimited#key}
	 * @return the words in order; the word itself if it joins none
	 */
	public static List<String> parts(String word) {
		return JoinedKey.words(word);
	}

	/**
	 * Checks a word for plans as far as possible without the arguments of a call.
	 * @param word as in {@link CallerSelectors#plan}
	 * @throws IllegalArgumentException if it is invalid
	 */
	public void checkPlan(String word) {
		if (KeyWord.isExpression(word)) {
			this.scope.withAnyArguments().parse(word);
		}
		else {
			plan(word, this.scope);
		}
	}

	/**
	 * Checks the permits that calls tell as far as possible without the arguments of a
	 * call.
	 * @param permits the word and the ceiling
	 * @throws IllegalArgumentException if the word is invalid
	 */
	public void checkPermits(OwnPermits permits) {
		permits(permits, this.scope.withAnyArguments(), "", "");
	}

	/**
	 * Checks an entry of a list of callers as far as possible without the arguments of a
	 * call.
	 * @param entry as in {@link CallerSelectors#exempt}
	 * @throws IllegalArgumentException if it is invalid
	 */
	public void checkEntry(String entry) {
		if (KeyWord.isExpression(entry)) {
			this.scope.withAnyArguments().parseCondition(entry);
		}
		else {
			new CallerLists(this.words, this.scope).anyOf(List.of(entry), false);
		}
	}

	/** Returns the text of an expression, also null if it has no value. */
	private static @Nullable String text(ScopedExpression expression, CallContext call) {
		try {
			return KeyWord.text(expression.value(call));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private PlanResolver plan(@Nullable String word, ExpressionScope scope) {
		if (word == null) {
			return (policy, key, call) -> null;
		}
		String bean = KeyWords.beanName(word);
		if (bean != null) {
			return this.beans.plans().apply(bean);
		}
		if (KeyWord.isExpression(word)) {
			ScopedExpression expression = scope.parse(word);
			return (policy, key, call) -> text(expression, call);
		}
		KeyResolver plain = this.words.plain(word, scope);
		return (policy, key, call) -> plain.resolve(call);
	}

	private PermitsResolver permits(@Nullable OwnPermits own, ExpressionScope scope, String policy, String place) {
		if (own == null) {
			return (name, key, call) -> null;
		}
		CallerPermits permits = new CallerPermits(own.from(), policy, place);
		String bean = KeyWords.beanName(own.from());
		if (bean != null) {
			PermitsResolver resolver = this.beans.permits().apply(bean);
			return (name, key, call) -> permits.of(resolver.resolve(name, key, call));
		}
		if (KeyWord.isExpression(own.from())) {
			ScopedExpression expression = scope.parseExact(own.from());
			return (name, key, call) -> permits.of(expression, call);
		}
		KeyResolver plain = this.words.plain(own.from(), scope);
		return (name, key, call) -> permits.of(plain.resolve(call));
	}

}
