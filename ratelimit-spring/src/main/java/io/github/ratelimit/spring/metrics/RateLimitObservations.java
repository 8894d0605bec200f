package io.github.ratelimit.spring.metrics;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A listener that adds the outcome of calls to the observation that is current on the
 * calling thread: the key values {@code ratelimit.outcome}, the worst outcome of the
 * calls within the observation, and {@code ratelimit.policy}, the policy with that
 * outcome unless it admitted the call; and an event {@code ratelimit.denied} for each
 * call that does not proceed. Without a current observation it does nothing. Thread-safe.
 */
public final class RateLimitObservations implements RateLimitListener {

	private final ObservationRegistry registry;

	/**
	 * Creates a listener.
	 * @param registry the registry of observations
	 */
	public RateLimitObservations(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public RateLimitListener forCall(List<Charge> charges) {
		Observation current = CurrentObservation.of(this.registry);
		return (current != null) ? new ObservedCall(new CurrentObservation(current)) : this;
	}

	@Override
	public void skipped(List<Charge> charges) {
		add(ChargeOutcome.SKIPPED, charges.get(0).policy());
	}

	@Override
	public void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
		add(ChargeOutcome.UNSATISFIABLE, mistake.getPolicy());
	}

	@Override
	public void invalidCost(InvalidCostException mistake) {
		add(ChargeOutcome.INVALID_COST, mistake.getPolicy());
	}

	@Override
	public void refused(RefusedCallerException refusal) {
		add(ChargeOutcome.of(refusal), refusal.getPolicy());
	}

	private void add(ChargeOutcome outcome, String policy) {
		Observation current = CurrentObservation.of(this.registry);
		if (current != null) {
			new CurrentObservation(current).add(new CallOutcome(outcome, policy));
		}
	}

	/** The listener of a call, to whose observation it adds from any thread. */
	private record ObservedCall(CurrentObservation current) implements RateLimitListener {

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.current.add(CallOutcome.of(charges, decision));
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			this.current.add(CallOutcome.withoutStore(charges, instead));
		}

	}

}
