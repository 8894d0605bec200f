package io.github.ratelimit.spring.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The observation that is current on a thread, such as that of an HTTP request. Its key
 * values say how the worst call within it ended.
 *
 * @param observation the observation
 */
record CurrentObservation(Observation observation) {

	/** The key of the outcome of the worst call. */
	static final String OUTCOME = "ratelimit.outcome";

	/** The key of the policy with that outcome. */
	static final String POLICY = "ratelimit.policy";

	/** The event of a call that does not proceed. */
	static final Observation.Event DENIED = Observation.Event.of("ratelimit.denied");

	/** Returns the current observation, {@code null} if there is none. */
	static @Nullable Observation of(ObservationRegistry registry) {
		Observation current = registry.isNoop() ? null : registry.getCurrentObservation();
		return (current != null && !current.isNoop()) ? current : null;
	}

	/**
	 * Adds the outcome of a call. The key values are of high cardinality although they
	 * take few values, as others become tags of meters. Tags would multiply the series of
	 * HTTP requests, and only some requests would have them, which Micrometer before 1.17
	 * does not support for Prometheus.
	 */
	void add(CallOutcome call) {
		Observation.Context context = this.observation.getContext();
		ChargeOutcome known = context.get(ChargeOutcome.class);
		if (known == null || call.outcome().compareTo(known) > 0) {
			context.put(ChargeOutcome.class, call.outcome());
			this.observation.highCardinalityKeyValue(KeyValue.of(OUTCOME, call.outcome().tag()));
			if (call.outcome().isNotable()) {
				this.observation.highCardinalityKeyValue(KeyValue.of(POLICY, call.policy()));
			}
		}
		if (call.outcome().rejects()) {
			this.observation.event(DENIED);
		}
	}

}
