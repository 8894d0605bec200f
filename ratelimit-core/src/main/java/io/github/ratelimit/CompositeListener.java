package io.github.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A listener that notifies several others. It logs their exceptions: none keeps the
 * others from being notified or changes a decision. Thread-safe.
 */
public final class CompositeListener implements RateLimitListener {

	private static final Logger LOGGER = System.getLogger(CompositeListener.class.getName());

	private final List<RateLimitListener> listeners;

	/**
	 * Creates a composite listener.
	 * @param listeners the listeners, each notified even if another throws
	 */
	public CompositeListener(List<RateLimitListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Returns the time to measure a store by, or 0 without listeners. */
	long nanoTime() {
		return this.listeners.isEmpty() ? 0 : System.nanoTime();
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		forEach((listener) -> listener.decided(charges, decision, elapsedNanos));
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		forEach((listener) -> listener.failed(charges, failure, instead, elapsedNanos));
	}

	@Override
	public void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
		forEach((listener) -> listener.unsatisfiable(charges, mistake));
	}

	@Override
	public void invalidCost(InvalidCostException mistake) {
		forEach((listener) -> listener.invalidCost(mistake));
	}

	@Override
	public void refused(RefusedCallerException refusal) {
		forEach((listener) -> listener.refused(refusal));
	}

	@Override
	public void missingKey(String policy) {
		forEach((listener) -> listener.missingKey(policy));
	}

	@Override
	public void skipped(List<Charge> charges) {
		forEach((listener) -> listener.skipped(charges));
	}

	@Override
	public void waiting(List<String> policies) {
		forEach((listener) -> listener.waiting(policies));
	}

	@Override
	public void waited(List<String> policies) {
		forEach((listener) -> listener.waited(policies));
	}

	private void forEach(Consumer<RateLimitListener> event) {
		for (RateLimitListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				LOGGER.log(Level.WARNING, "A rate limit listener failed: " + listener.getClass().getName(), ex);
			}
		}
	}

}
