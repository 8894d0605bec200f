package io.github.ratelimit.spring.metrics;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A listener that observes each decision of the store as {@code ratelimit.decision}. The
 * observation starts on the calling thread, whose current observation is its parent, and
 * stops on the thread that receives the decision. A failure of the store is its error; a
 * denial is none. Thread-safe.
 */
public final class DecisionObservations implements RateLimitListener {

	private static final RateLimitObservationConvention STANDARD = new RateLimitObservationConvention();

	private final ObservationRegistry registry;

	private final RateLimitStore store;

	private final @Nullable RateLimitObservationConvention convention;

	/**
	 * Creates a listener.
	 * @param registry the registry of observations
	 * @param store the store of the limiter
	 * @param convention the names and key values; {@code null} for the standard ones
	 */
	public DecisionObservations(ObservationRegistry registry, RateLimitStore store,
			@Nullable RateLimitObservationConvention convention) {
		this.registry = registry;
		this.store = store;
		this.convention = convention;
	}

	@Override
	public RateLimitListener forCall(List<Charge> charges) {
		if (this.registry.isNoop()) {
			return this;
		}
		RateLimitObservationContext context = new RateLimitObservationContext(this.store.name(), charges);
		return new ObservedDecision(context,
				Observation.start(this.convention, STANDARD, () -> context, this.registry));
	}

	/** The listener of a call, which stops its observation. */
	private record ObservedDecision(RateLimitObservationContext context,
			Observation observation) implements RateLimitListener {

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.context.end(CallOutcome.of(charges, decision), decision);
			this.observation.stop();
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			this.context.end(CallOutcome.withoutStore(charges, instead), instead);
			this.observation.error(failure).stop();
		}

		@Override
		public void abandoned(List<Charge> charges, Throwable cause) {
			this.observation.error(cause).stop();
		}

	}

}
