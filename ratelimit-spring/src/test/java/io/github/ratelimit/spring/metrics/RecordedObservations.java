package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A handler that records the observations that stop, and their events.
 */
public final class RecordedObservations implements ObservationHandler<Observation.Context> {

	private final BlockingQueue<Observation.Context> stopped = new LinkedBlockingQueue<>();

	private final List<String> events = new CopyOnWriteArrayList<>();

	/**
	 * Returns a registry that reports to this handler.
	 * @return a registry
	 */
	public ObservationRegistry registry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(this);
		return registry;
	}

	/**
	 * Waits for the next observation that stops.
	 * @return its context
	 * @throws InterruptedException if it is interrupted
	 */
	public Observation.Context next() throws InterruptedException {
		Observation.Context next = this.stopped.poll(20, TimeUnit.SECONDS);
		if (next == null) {
			throw new AssertionError("no observation stopped");
		}
		return next;
	}

	/**
	 * Returns the events so far.
	 * @return such as {@code http.server.requests: ratelimit.denied}
	 */
	public List<String> events() {
		return this.events;
	}

	/**
	 * Returns the number of observations that have stopped and were not yet returned.
	 * @return at least 0
	 */
	public int count() {
		return this.stopped.size();
	}

	/**
	 * Returns a value of high cardinality.
	 * @param context where to look
	 * @param key the key of the value
	 * @return {@code null} if there is none
	 */
	public static @Nullable String high(Observation.Context context, String key) {
		KeyValue value = context.getHighCardinalityKeyValue(key);
		return (value != null) ? value.getValue() : null;
	}

	@Override
	public void onEvent(Observation.Event event, Observation.Context context) {
		this.events.add(context.getName() + ": " + event.getName());
	}

	@Override
	public void onStop(Observation.Context context) {
		this.stopped.add(context);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

}
