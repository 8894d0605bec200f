package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.policy.Policy;
import org.jspecify.annotations.Nullable;

import static io.github.ratelimit.spring.key.KeyWord.Trait.MAY_NAME_PLAN;
import static io.github.ratelimit.spring.key.KeyWord.Trait.NEEDS_USER;
import static io.github.ratelimit.spring.key.KeyWord.Trait.ONLY_OF_RULES;
import static io.github.ratelimit.spring.key.KeyWord.Trait.PROVEN;

/**
 * A table of the words that configuration and annotations use for keys, other than
 * expressions. A row has the form of the key; the form of an entry in lists of callers,
 * without which the word cannot be in them; and traits. Patterns and messages are made
 * from it. A test compares it with the hints of editors, the Javadoc of
 * {@code RateLimited#key} and the documentation.
 */
enum KeyWord {

	CLIENT_IP("client-ip", null, PROVEN),

	PRINCIPAL("principal", "principal:NAME", MAY_NAME_PLAN, NEEDS_USER, PROVEN),

	TENANT("tenant", "tenant:NAME", MAY_NAME_PLAN),

	SESSION("session", null, PROVEN),

	HOST("host", null),

	ROUTE("route", null),

	HEADER("header:NAME", "header:NAME:VALUE", MAY_NAME_PLAN),

	CLAIM("claim:NAME", "claim:NAME:VALUE", MAY_NAME_PLAN, NEEDS_USER, PROVEN),

	COOKIE("cookie:NAME", "cookie:NAME:VALUE", MAY_NAME_PLAN),

	QUERY("query:NAME", "query:NAME:VALUE", MAY_NAME_PLAN),

	FORM("form:NAME", null, ONLY_OF_RULES),

	PATH("path:NAME", "path:NAME:VALUE", MAY_NAME_PLAN),

	GLOBAL(Policy.EVERYONE, null, PROVEN),

	BEAN("bean:NAME", "bean:NAME:KEY", MAY_NAME_PLAN);

	/** The end of messages that list words. */
	static final String OR_EXPRESSION = ", or an expression that starts with #";

	private static final String EXPRESSION = "#";

	private static final String NAME = "NAME";

	/** A token of RFC 9110, section 5.6.2. */
	private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	private final String form;

	private final @Nullable String entry;

	private final Set<Trait> traits;

	KeyWord(String form, @Nullable String entry, Trait... traits) {
		this.form = form;
		this.entry = entry;
		this.traits = Set.of(traits);
	}

	/**
	 * Returns the row of a word, which is no expression.
	 * @throws IllegalArgumentException if there is none
	 */
	static KeyWord of(String word) {
		return Stream.of(values())
			.filter((row) -> row.matches(word))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("a key is "
					+ Stream.of(values()).map(KeyWord::form).collect(Collectors.joining(", ")) + OR_EXPRESSION));
	}

	/** Returns whether a word has no key without an authenticated user. */
	static boolean needsUser(String word) {
		return has(word, NEEDS_USER);
	}

	/** Returns whether a word has a key in rules alone. */
	static boolean isOnlyOfRules(String word) {
		return has(word, ONLY_OF_RULES);
	}

	/** Returns whether no client chooses the keys of a word. */
	static boolean isProven(String word) {
		return has(word, PROVEN);
	}

	private static boolean has(String word, Trait trait) {
		return Stream.of(values()).anyMatch((row) -> row.has(trait) && row.matches(word));
	}

	/** Returns whether a word is an expression. */
	static boolean isExpression(String word) {
		return word.startsWith(EXPRESSION);
	}

	/** Returns whether a text is a word, and no expression. */
	static boolean isWord(String text) {
		return Stream.of(values()).anyMatch((row) -> row.matches(text));
	}

	/** Returns a regular expression that matches the words of some rows. */
	static String pattern(Predicate<KeyWord> rows) {
		return Stream.of(values())
			.filter(rows)
			.map((row) -> row.isNamed() ? row.prefix() + "[^:]+" : row.form)
			.collect(Collectors.joining("|"));
	}

	/** Returns the forms of entries in lists of callers. */
	static List<String> entries() {
		return Stream.of(values()).flatMap((row) -> Stream.ofNullable(row.entry)).toList();
	}

	/** Returns the word, followed by {@code :NAME} if it takes a name. */
	String form() {
		return this.form;
	}

	/** Returns the word with a colon, as names and the keys of calls follow it. */
	String prefix() {
		return isNamed() ? this.form.substring(0, this.form.length() - NAME.length()) : this.form + ':';
	}

	/** Returns whether this is the row of a word. */
	boolean matches(String word) {
		return isNamed() ? word.startsWith(prefix()) && word.length() > prefix().length() : word.equals(this.form);
	}

	/** Returns whether lists of callers may contain the word. */
	boolean isListed() {
		return this.entry != null;
	}

	/** Returns whether the word has a trait. */
	boolean has(Trait trait) {
		return this.traits.contains(trait);
	}

	/** Returns the name that a word of this row names, or an empty one. */
	String nameIn(String word) {
		return isNamed() ? word.substring(prefix().length()) : "";
	}

	/** Returns a resolver of the keys of a word of this row, without the word. */
	KeyResolver resolver(String word, Application application) {
		String name = nameIn(word);
		return switch (this) {
			case CLIENT_IP -> application.addresses().get();
			case PRINCIPAL -> (call) -> call.caller().principal();
			case TENANT -> application.tenant().get();
			case SESSION -> (call) -> call.caller().session();
			case HOST -> inRequest((request) -> request.host());
			case ROUTE -> CallContext::route;
			case HEADER -> header(name);
			case CLAIM -> (call) -> text(call.caller().claim(name));
			case COOKIE -> inRequest((request) -> request.cookie(name));
			case QUERY -> inRequest((request) -> request.query(name));
			case FORM -> inRequest((request) -> typed(request.form(name)));
			case PATH -> inRequest((request) -> request.pathVariables().get(name));
			case GLOBAL -> (call) -> Policy.EVERYONE;
			case BEAN -> application.beans().apply(name);
		};
	}

	private boolean isNamed() {
		return this.form.endsWith(':' + NAME);
	}

	private static KeyResolver header(String name) {
		if (!HEADER_NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"'" + name + "' is no name of a header; write " + HEADER.prefix() + name.strip());
		}
		return (call) -> call.caller().header(name);
	}

	private static KeyResolver inRequest(Function<CallRequest, @Nullable String> part) {
		return (call) -> (call.request() != null) ? part.apply(call.request()) : null;
	}

	private static @Nullable String typed(@Nullable String value) {
		return (value != null) ? TypedName.of(value) : null;
	}

	/** Returns a value as text: of a user, the name, which all its calls share. */
	static @Nullable String text(@Nullable Object value) {
		if (value instanceof Principal user) {
			return user.getName();
		}
		return (value != null) ? value.toString() : null;
	}

	/** A trait of a word. */
	enum Trait {

		/** Offered for the plan of callers, in which other words are of little use. */
		MAY_NAME_PLAN,

		/** Never known before Spring Security has authenticated the user. */
		NEEDS_USER,

		/** Known to rules alone, as their filter reads the body of the request. */
		ONLY_OF_RULES,

		/** Known to the server or proven by the user, and never chosen by a client. */
		PROVEN

	}

	/**
	 * The parts of an application that words read.
	 *
	 * @param addresses supplies the resolver of the addresses of calls
	 * @param tenant supplies the resolver of the tenant of calls, or throws
	 * @param beans returns the resolver bean of a name, or throws
	 */
	record Application(Supplier<? extends KeyResolver> addresses, Supplier<KeyResolver> tenant,
			Function<String, KeyResolver> beans) {

	}

}
