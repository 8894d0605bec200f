package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.key.CallerSource;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * An authentication manager that limits wrong passwords. A denial is no
 * {@link AuthenticationException}, so that filters answer it with no redirect.
 */
public final class LimitedAuthenticationManager implements AuthenticationManager {

	private final AuthenticationManager manager;

	private final Supplier<LoginLimiter> limiter;

	private final Supplier<CallerSource> callers;

	/**
	 * Creates a manager.
	 * @param manager authenticates
	 * @param limiter supplies the limiter at the first login
	 * @param callers supplies the source of clients
	 */
	public LimitedAuthenticationManager(AuthenticationManager manager, Supplier<LoginLimiter> limiter,
			Supplier<CallerSource> callers) {
		this.manager = manager;
		this.limiter = limiter;
		this.callers = callers;
	}

	/**
	 * {@inheritDoc}
	 * @throws RateLimitExceededException if wrong passwords have spent a limit
	 */
	@Override
	public Authentication authenticate(Authentication login) {
		LoginLimiter limiter = this.limiter.get();
		Caller caller = this.callers.get().current();
		List<Charge> charges = limiter.charges(login, caller);
		return charges.isEmpty() ? this.manager.authenticate(login) : authenticate(login, caller, charges, limiter);
	}

	private Authentication authenticate(Authentication login, Caller caller, List<Charge> charges,
			LoginLimiter limiter) {
		for (int pauses = 0; pauses <= limiter.mostPauses(); pauses++) {
			if (pauses > 0) {
				pause();
			}
			Reservation check = limiter.start(charges);
			try {
				Look look = limiter.look(charges, check);
				if (look.room() != Room.BUSY) {
					Authentication user = (look.room() == Room.FREE) ? chargingAfter(login, charges, limiter)
							: chargingBefore(login, charges, limiter);
					limiter.passed(login, caller, charges, look);
					return user;
				}
			}
			finally {
				limiter.end(check);
			}
		}
		throw LoginLimiter.waitedTooLong();
	}

	private Authentication chargingAfter(Authentication login, List<Charge> charges, LoginLimiter limiter) {
		try {
			return this.manager.authenticate(login);
		}
		catch (AuthenticationException ex) {
			if (LoginLimiter.isWrongPassword(ex)) {
				limiter.gate().enter(CallCharges.of(charges), RequestCharges.NONE, null);
			}
			throw ex;
		}
	}

	/** Denies a login without room, unless permits have come or were granted. */
	private Authentication chargingBefore(Authentication login, List<Charge> charges, LoginLimiter limiter) {
		Admission admission = limiter.gate()
			.enter(LoginLimiter.refundedUnlessWrong(charges), RequestCharges.NONE, null);
		AuthenticationException failure = null;
		try {
			return this.manager.authenticate(login);
		}
		catch (AuthenticationException ex) {
			failure = ex;
			throw ex;
		}
		finally {
			admission.callEnded(null, failure);
		}
	}

	private static void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(LoginLimiter.PAUSE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancelledWaitException("Interrupted while other passwords were being checked");
		}
	}

}
