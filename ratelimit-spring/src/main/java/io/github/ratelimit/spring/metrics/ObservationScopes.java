package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.function.UnaryOperator;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of current observations. A listener of one call is notified within the
 * observation that was current on the calling thread, also on a thread of the store.
 * Thread-safe.
 */
public final class ObservationScopes implements UnaryOperator<RateLimitListener> {

	private final ObservationRegistry registry;

	/**
	 * Creates scopes.
	 * @param registry the registry of observations
	 */
	public ObservationScopes(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public RateLimitListener apply(RateLimitListener listener) {
		Observation current = CurrentObservation.of(this.registry);
		return (current != null) ? new InScope(this.registry, current, listener) : listener;
	}

	/** A listener that is notified within an observation. */
	private record InScope(ObservationRegistry registry, Observation observation,
			RateLimitListener listener) implements RateLimitListener {

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			within(() -> this.listener.decided(charges, decision, elapsedNanos));
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			within(() -> this.listener.failed(charges, failure, instead, elapsedNanos));
		}

		/** Spares a scope on the calling thread, where the observation is current. */
		private void within(Runnable notification) {
			if (this.observation.equals(this.registry.getCurrentObservation())) {
				notification.run();
			}
			else {
				this.observation.scoped(notification);
			}
		}

	}

}
