package io.github.ratelimit.spring.login;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The policies that wrong passwords charge, by account and by address. Thread-safe.
 */
public final class LoginPolicies {

	/** The name of the account in the expressions of the policies. */
	public static final String ACCOUNT = "account";

	/** Spring Security skips any character behind it. */
	private static final String BASIC = "Basic";

	/** The characters of an account that count, as clients may choose its length. */
	private static final int LONGEST_ACCOUNT = 256;

	private final PolicyKeys keys;

	private final AccountNames accounts;

	private volatile Names names;

	/**
	 * Creates the policies of logins.
	 * @param names the names of the policies
	 * @param policies the policies of the application
	 * @param keys creates the key resolvers of policies
	 * @param accounts folds the spellings of an account's name
	 */
	public LoginPolicies(Names names, Policies policies, KeyResolvers keys, AccountNames accounts) {
		this(names,
				new PolicyKeys(policies, keys,
						keys.scope().beforeSecurity().withVariables(Map.of(ACCOUNT, String.class)), "a login"),
				accounts);
	}

	private LoginPolicies(Names names, PolicyKeys keys, AccountNames accounts) {
		this.names = names;
		this.keys = keys;
		this.accounts = accounts;
	}

	/**
	 * Returns the same under other names, to check what may replace them.
	 * @param names the names of the policies
	 * @param policies the policies that may replace those in effect
	 * @return the policies of logins
	 */
	public LoginPolicies by(Names names, Policies policies) {
		return new LoginPolicies(names, this.keys.by(policies), this.accounts);
	}

	/** Takes over the names of others. */
	void rename(LoginPolicies others) {
		this.names = others.names;
	}

	/**
	 * Checks that a policy can limit wrong passwords.
	 * @param name the policy's name
	 * @throws IllegalArgumentException if there is no such policy, it is for both account
	 * and address, its key is not known before the login, or it limits calls at a time
	 */
	public void check(String name) {
		if (name.equals(this.names.account()) && name.equals(this.names.address())) {
			throw new IllegalArgumentException("account and address need a policy each");
		}
		Policy policy = this.keys.get(name).policy();
		policy.requireSatisfiable(1);
		policy.keys().stream().filter(KeyResolvers::needsUser).findFirst().ifPresent((word) -> {
			throw new IllegalArgumentException(
					"the policy's key '" + word + "' is known after the login alone; use '#" + ACCOUNT + "'");
		});
		policy.limits().stream().filter(Limit::isConcurrency).findFirst().ifPresent((limit) -> {
			throw new IllegalArgumentException("the policy's limit '" + limit
					+ "' is for calls at a time; wrong passwords need one such as 5/15m");
		});
	}

	/**
	 * Returns the names of the policies.
	 * @return one or two names, or none
	 */
	public List<String> names() {
		Names names = this.names;
		return Stream.of(names.account(), names.address()).flatMap(Stream::ofNullable).toList();
	}

	/**
	 * Returns the charges of a wrong password, none of which waits.
	 * @param account the account as typed; {@code null} if the kind of login names none
	 * @param caller the client
	 * @return the charges; none if no policy limits the client
	 * @throws RefusedCallerException if a policy blocks the client, or denies clients
	 * without a key
	 */
	List<Charge> charges(@Nullable String account, Caller caller) {
		Names names = this.names;
		CallContext call = new CallContext(caller, Map.of(ACCOUNT, (account != null) ? counted(account) : ""));
		List<Charge> charges = new ArrayList<>();
		if (account != null) {
			add(names.account(), call, charges);
		}
		add(names.address(), call, charges);
		return List.copyOf(charges);
	}

	private void add(@Nullable String policy, CallContext call, List<Charge> charges) {
		Charge charge = (policy != null) ? this.keys.get(policy).charge(call, (any) -> 1) : null;
		if (charge != null && !charge.exempt()) {
			charges.add(charge.waitingUpTo(Duration.ZERO));
		}
	}

	/**
	 * Returns those charges whose counts the right password of an account resets. Keys
	 * that others share with the account are kept, as anybody could reset them by an
	 * account of their own. So are the counts of HTTP basic, which logs in at each
	 * request: while a client does, its account could be guessed without limit.
	 */
	List<Charge> reset(String account, Caller caller, List<Charge> charges) {
		Names names = this.names;
		return (!names.resetOnSuccess() || isBasic(caller) || counted(account).isEmpty()) ? List.of()
				: charges.stream()
					.filter((charge) -> charge.policy().equals(names.account()) && isOfAccount(charge.policy()))
					.toList();
	}

	private boolean isOfAccount(String policy) {
		return this.keys.get(policy).policy().keys().stream().allMatch((word) -> word.contains('#' + ACCOUNT));
	}

	private static boolean isBasic(Caller caller) {
		String credentials = caller.header(HttpHeaders.AUTHORIZATION);
		return credentials != null && credentials.regionMatches(true, 0, BASIC, 0, BASIC.length());
	}

	private String counted(String account) {
		String name = this.accounts.counted(account);
		return name.substring(0, Math.min(name.length(), LONGEST_ACCOUNT));
	}

	/**
	 * The names of the policies.
	 *
	 * @param account the policy that is charged if the login is of an account
	 * @param address the policy that is always charged
	 * @param resetOnSuccess whether a right password resets the account's count
	 */
	public record Names(@Nullable String account, @Nullable String address, boolean resetOnSuccess) {

	}

}
