package io.github.ratelimit.spring.login;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * A limiter of wrong passwords. A wrong password is charged once it has turned out to be
 * wrong, so that right ones are free. Passwords that are being checked hold a permit of a
 * second count in the store: no more are checked at a time than may be wrong, whichever
 * instances check them. Further ones wait. Thread-safe.
 */
public final class LoginLimiter implements AutoCloseable {

	/** The time after which a login looks again whether there is room. */
	static final Duration PAUSE = Duration.ofMillis(25);

	/** The pauses after which a login gives up: ten seconds. */
	private static final int MOST_PAUSES = 400;

	private final LoginPolicies policies;

	/** Tells what is left of the policies. */
	private final RateLimiter limiter;

	private final Gate gate;

	/** The limits on checks, under the names of the policies. */
	private final Policies checked;

	/** Counts the checks, without listeners. */
	private final RateLimiter checks;

	private final int mostPauses;

	/**
	 * Creates a limiter.
	 * @param policies the policies that wrong passwords charge
	 * @param limiter charges them
	 * @param store counts the passwords that are being checked
	 */
	public LoginLimiter(LoginPolicies policies, RateLimiter limiter, RateLimitStore store) {
		this(policies, limiter, store, MOST_PAUSES);
	}

	LoginLimiter(LoginPolicies policies, RateLimiter limiter, RateLimitStore store, int mostPauses) {
		this.policies = policies;
		this.limiter = limiter;
		this.gate = new Gate(limiter);
		this.mostPauses = mostPauses;
		this.checked = new Policies(checks(policies));
		this.checks = new RateLimiter(this.checked, store, List.of());
	}

	/**
	 * Charges other policies from now on.
	 * @param policies the policies, which have been checked
	 */
	public void replace(LoginPolicies policies) {
		this.checked.replaceAll(checks(policies));
		this.policies.rename(policies);
	}

	/**
	 * Returns the policies that wrong passwords charge.
	 * @return the policies
	 */
	public LoginPolicies policies() {
		return this.policies;
	}

	private static List<Policy> checks(LoginPolicies policies) {
		return policies.names().stream().map(LoginLimiter::checks).toList();
	}

	private static Policy checks(String policy) {
		return new Policy(policy, List.of(Limit.parse(Room.MOST_CHECKS + " concurrent")), List.of(Policy.EVERYONE));
	}

	/**
	 * Returns the charges if an authentication fails; none if it is not limited, as it is
	 * neither by password nor by one-time token, which names no account.
	 */
	List<Charge> charges(Authentication login, Caller caller) {
		if (login instanceof UsernamePasswordAuthenticationToken) {
			return this.policies.charges(login.getName(), caller);
		}
		return (login instanceof OneTimeTokenAuthenticationToken) ? this.policies.charges(null, caller) : List.of();
	}

	/** Returns whether a failure is that of the client, not of a service or the setup. */
	static boolean isWrongPassword(@Nullable Throwable failure) {
		return failure instanceof AuthenticationException && !(failure instanceof AuthenticationServiceException)
				&& !(failure instanceof ProviderNotFoundException);
	}

	/** Starts a check, which is {@link #end ended} in any case. */
	Reservation start(List<Charge> charges) {
		return this.checks.reserve(inFlight(charges));
	}

	CompletionStage<Reservation> startAsync(List<Charge> charges) {
		return this.checks.reserveAsync(inFlight(charges));
	}

	private static List<Charge> inFlight(List<Charge> charges) {
		return charges.stream().map((charge) -> Charge.of(charge.policy(), charge.key())).toList();
	}

	void end(Reservation check) {
		this.checks.release(check);
	}

	CompletionStage<Void> endAsync(Reservation check) {
		return this.checks.releaseAsync(check);
	}

	/** Looks for room for a check that has started. A ban leaves none. */
	Look look(List<Charge> charges, Reservation check) {
		try {
			return Look.of(charges, check.decision(), this.limiter.peek(looks(charges)));
		}
		catch (BlockedCallerException ex) {
			return Look.BANNED;
		}
	}

	/** Returns what is left for charges, without blocking. */
	CompletionStage<Decision> leftAsync(List<Charge> charges) {
		return this.limiter.peekAsync(looks(charges));
	}

	private static List<Charge> looks(List<Charge> charges) {
		return charges.stream()
			.map((charge) -> new Charge(charge.policy(), charge.key(), 0).withPlan(charge.plan())
				.withPermits(charge.permits()))
			.toList();
	}

	/**
	 * Resets what wrong passwords of an account have spent, as the right one has come. If
	 * the store fails, they count on.
	 */
	void passed(Authentication login, Caller caller, List<Charge> charges, Look look) {
		if (login instanceof UsernamePasswordAuthenticationToken) {
			this.policies.reset(login.getName(), caller, charges.stream().filter(look::isSpent).toList())
				.forEach(this::reset);
		}
	}

	private void reset(Charge charge) {
		CompletionStage<Void> unused = this.limiter.resetAsync(charge.policy(), charge.key());
	}

	/** Returns the gate that wrong passwords enter. */
	Gate gate() {
		return this.gate;
	}

	/**
	 * Returns the charges of a password before its check, refunded unless it is wrong.
	 */
	static CallCharges refundedUnlessWrong(List<Charge> charges) {
		return CallCharges.of(charges,
				(charged, outcome) -> isWrongPassword(outcome.error()) ? charged.charges().get(0).cost() : 0);
	}

	int mostPauses() {
		return this.mostPauses;
	}

	/** Returns the time for which a check goes on whose client has gone: five seconds. */
	Duration longestAfterCancel() {
		return PAUSE.multipliedBy(this.mostPauses).dividedBy(2);
	}

	/** Returns the failure of a login that has waited for too long. */
	static CancelledWaitException waitedTooLong() {
		return new CancelledWaitException("Waited too long for other passwords that are being checked");
	}

	@Override
	public void close() {
		this.checks.close();
	}

}
