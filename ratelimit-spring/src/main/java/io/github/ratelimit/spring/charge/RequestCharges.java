package io.github.ratelimit.spring.charge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.spring.expression.ResponseView;
import org.jspecify.annotations.Nullable;

/**
 * The charges of one request: made, deferred and admitted ones. The filters, the handler
 * and the methods that a request passes share them, so that they decide together and
 * charge the request once. Thread-safe.
 */
public sealed class RequestCharges {

	/** The charges of calls that are part of no request. */
	public static final RequestCharges NONE = new NoRequest();

	private final ServedRequest request;

	private CallCharges deferred = CallCharges.NONE;

	private final List<Admission> open = new ArrayList<>();

	private final Map<Object, Boolean> admitted = new HashMap<>();

	private final Set<Object> handlers = new HashSet<>(2);

	private @Nullable Decision decision;

	private @Nullable End end;

	/** The failure to which only the response is left. */
	private @Nullable Throwable failure;

	/**
	 * Creates the charges of a new request.
	 * @param request the request
	 */
	public RequestCharges(ServedRequest request) {
		this.request = request;
	}

	/**
	 * Returns whether calls are part of a request.
	 * @return whether these are not {@link #NONE}
	 */
	public boolean exists() {
		return true;
	}

	/**
	 * Adds charges to the request's next decision.
	 * @param charges charges to make later
	 */
	public synchronized void defer(CallCharges charges) {
		this.deferred = this.deferred.isEmpty() ? charges : this.deferred.then(charges);
	}

	/**
	 * Returns whether charges are deferred to the next decision.
	 * @return whether there are any
	 */
	public synchronized boolean areDeferred() {
		return !this.deferred.isEmpty();
	}

	/**
	 * Removes the deferred charges and returns them, followed by others. The caller has
	 * to make them. If the others cannot be made, as the caller is refused or a cost is
	 * invalid, nothing is left to charge.
	 * @param charges returns the charges to add
	 * @return the deferred charges, then these
	 */
	public CallCharges withDeferred(Supplier<CallCharges> charges) {
		try {
			return removeDeferred(charges.get());
		}
		catch (RefusedCallerException | InvalidCostException ex) {
			removeDeferred(CallCharges.NONE);
			throw ex;
		}
	}

	private synchronized CallCharges removeDeferred(CallCharges charges) {
		if (this.deferred.isEmpty()) {
			return charges;
		}
		CallCharges all = this.deferred.then(charges);
		this.deferred = CallCharges.NONE;
		return all;
	}

	/**
	 * Removes the deferred charges of a method that was not called and returns them. They
	 * must not wait, as there is no call to wait for. The caller has to make them.
	 * @return the deferred charges without a wait
	 */
	public synchronized CallCharges removeDeferred() {
		return this.deferred.isEmpty() ? CallCharges.NONE : removeDeferred(CallCharges.NONE).withoutWait();
	}

	/**
	 * Records a handler of the request. Its calls end when the request has ended, as the
	 * response may be written after the handler has returned.
	 * @param handler such as the method that serves the request
	 */
	public synchronized void handleBy(Object handler) {
		this.handlers.add(handler);
	}

	/**
	 * Returns whether the calls of a method end when the request has ended.
	 * @param method a method
	 * @return whether it is a handler of the request
	 */
	public synchronized boolean isHandledBy(Object method) {
		return this.handlers.contains(method);
	}

	/**
	 * Opens the reservation of an admitted call, and keeps it until the request has ended
	 * if it depends on the response.
	 */
	Admission open(Reservation reservation, CallCharges charges, RateLimiter limiter) {
		Admission admission = Admission.of(reservation, charges, this::awaitResult, limiter);
		if (admission.outlivesCall()) {
			keep(admission);
		}
		return admission;
	}

	/**
	 * Keeps an admission until the request has ended. If it has, the admission ends at
	 * once.
	 */
	private void keep(Admission admission) {
		End before = add(admission);
		if (before != null) {
			admission.requestEnded(before.response(), before.failure());
		}
		else if (failure() != null) {
			admission.releaseOfRequest();
		}
	}

	/** Adds an admission to those that are kept, or returns the end of the request. */
	private synchronized @Nullable End add(Admission admission) {
		if (this.end == null && !this.open.contains(admission)) {
			this.open.add(admission);
		}
		return this.end;
	}

	private synchronized @Nullable Throwable failure() {
		return this.failure;
	}

	/** Keeps a call whose result comes after the return of its method. */
	private void awaitResult(Admission call) {
		keep(call);
		if (call.hasTerms()) {
			this.request.awaitResult(call);
		}
	}

	/**
	 * Ends the admissions that wait for the end of the request, once. One that comes
	 * later, as its decision came too late, ends at once.
	 * @param response the complete response; {@code null} if the protocol has none
	 * @param failure the exception that the request ended with, or {@code null}
	 */
	public void end(@Nullable ResponseView response, @Nullable Throwable failure) {
		removeOpen(new End(response, failure)).forEach((admission) -> admission.requestEnded(response, failure));
	}

	/**
	 * Returns whether the request has ended, or only the response to its failure is left.
	 * @return whether it is over, unless it is served again
	 */
	public synchronized boolean isOver() {
		return this.end != null || this.failure != null;
	}

	/**
	 * Goes on with a request that was over, as its server sends an error page or a filter
	 * sends it through its chain again.
	 */
	public synchronized void resume() {
		this.end = null;
		this.failure = null;
	}

	/**
	 * Releases the permits that the request holds until its end, and those of decisions
	 * under way, as it has failed and only the response to its failure is left.
	 * @param failure the exception
	 */
	public void fail(Throwable failure) {
		openOfFailed(failure).forEach(Admission::releaseOfRequest);
	}

	private synchronized List<Admission> openOfFailed(Throwable failure) {
		this.failure = failure;
		return List.copyOf(this.open);
	}

	/**
	 * Ends the admissions that wait for the end of the request, if it has failed.
	 * @param response the response to the failure
	 */
	public void endFailed(ResponseView response) {
		Throwable failure = failure();
		if (failure != null) {
			end(response, failure);
		}
	}

	private synchronized List<Admission> removeOpen(End end) {
		this.end = end;
		List<Admission> removed = List.copyOf(this.open);
		this.open.clear();
		return removed;
	}

	/**
	 * Admits a step of the request, so that it is not charged when it is taken.
	 * @param step such as the method that serves the request
	 */
	public synchronized void admit(Object step) {
		this.admitted.put(step, true);
	}

	/**
	 * Admits a step once more if it was admitted before, because the container dispatched
	 * the same request again.
	 * @param step such as the method that serves the request
	 * @return whether it was admitted before, so that nothing is left to decide
	 */
	public synchronized boolean tryReadmit(Object step) {
		return this.admitted.replace(step, true) != null;
	}

	/**
	 * Returns the steps of a list that the request has not been admitted to, each once.
	 * @param <T> the type of the steps
	 * @param steps such as the limits of a route
	 * @return the steps that are left to decide
	 */
	public synchronized <T> List<T> notAdmitted(List<T> steps) {
		List<T> left = new ArrayList<>(steps.size());
		for (T step : steps) {
			if (!this.admitted.containsKey(step) && !left.contains(step)) {
				left.add(step);
			}
		}
		return left;
	}

	/**
	 * Uses up the admission of a step, if there is one.
	 * @param step such as the method that serves the request
	 * @return whether the step was admitted and had not been taken since
	 */
	public synchronized boolean tryConsumeAdmission(Object step) {
		return this.admitted.replace(step, true, false);
	}

	/**
	 * Records a decision. If several decisions cover a limit, the latest wins. A denial
	 * replaces the decisions before it.
	 * @param latest the decision
	 */
	public synchronized void addDecision(Decision latest) {
		this.decision = (this.decision != null && latest.allowed()) ? merged(this.decision, latest) : latest;
		this.request.decided(this.decision);
	}

	/**
	 * Returns the decisions of the request as one, those since a denial.
	 * @return all limits in the order of their decisions, or {@code null} if there was no
	 * decision
	 */
	public synchronized @Nullable Decision decision() {
		return this.decision;
	}

	private static Decision merged(Decision earlier, Decision latest) {
		return Decision.of(Math.max(earlier.storeTimeMicros(), latest.storeTimeMicros()),
				merged(earlier.limits(), latest.limits()), merged(earlier.shadows(), latest.shadows()));
	}

	private static List<LimitDecision> merged(List<LimitDecision> earlier, List<LimitDecision> latest) {
		Stream<LimitDecision> before = earlier.stream()
			.filter((limit) -> latest.stream().noneMatch((other) -> isSame(limit, other)));
		return Stream.concat(before, latest.stream()).toList();
	}

	private static boolean isSame(LimitDecision one, LimitDecision other) {
		return one.isOf(other.policy(), other.key()) && one.limit().equals(other.limit());
	}

	/** How a request ended. */
	private record End(@Nullable ResponseView response, @Nullable Throwable failure) {

	}

	/** Nothing is kept, and no lock is taken, for calls that are part of no request. */
	private static final class NoRequest extends RequestCharges {

		private NoRequest() {
			super((decision) -> {
			});
		}

		@Override
		public boolean exists() {
			return false;
		}

		@Override
		public CallCharges withDeferred(Supplier<CallCharges> charges) {
			return charges.get();
		}

		@Override
		Admission open(Reservation reservation, CallCharges charges, RateLimiter limiter) {
			return Admission.of(reservation, charges, null, limiter);
		}

		@Override
		public boolean isHandledBy(Object method) {
			return false;
		}

		@Override
		public boolean tryConsumeAdmission(Object step) {
			return false;
		}

		@Override
		public void addDecision(Decision latest) {
		}

		@Override
		public @Nullable Decision decision() {
			return null;
		}

		@Override
		public void end(@Nullable ResponseView response, @Nullable Throwable failure) {
		}

		@Override
		public boolean isOver() {
			return false;
		}

		@Override
		public void resume() {
		}

		@Override
		public void fail(Throwable failure) {
		}

	}

}
