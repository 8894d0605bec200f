package io.github.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * All listeners as one, none of which can disturb a decision.
 */
final class Listeners implements RateLimitListener {

	private static final Logger LOGGER = System.getLogger(RateLimiter.class.getName());

	private final List<RateLimitListener> listeners;

	Listeners(List<RateLimitListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** The time to measure a store by, where anybody listens. */
	long nanoTime() {
		return this.listeners.isEmpty() ? 0 : System.nanoTime();
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		tell((listener) -> listener.decided(charges, decision, elapsedNanos));
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		tell((listener) -> listener.failed(charges, failure, instead, elapsedNanos));
	}

	@Override
	public void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
		tell((listener) -> listener.unsatisfiable(charges, mistake));
	}

	@Override
	public void invalidCost(InvalidCostException mistake) {
		tell((listener) -> listener.invalidCost(mistake));
	}

	@Override
	public void refused(RefusedCallerException refusal) {
		tell((listener) -> listener.refused(refusal));
	}

	@Override
	public void missingKey(String policy) {
		tell((listener) -> listener.missingKey(policy));
	}

	@Override
	public void skipped(List<Charge> charges) {
		tell((listener) -> listener.skipped(charges));
	}

	@Override
	public void waiting(List<String> policies) {
		tell((listener) -> listener.waiting(policies));
	}

	@Override
	public void waited(List<String> policies) {
		tell((listener) -> listener.waited(policies));
	}

	private void tell(Consumer<RateLimitListener> news) {
		for (RateLimitListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				LOGGER.log(Level.WARNING, "A rate limit listener failed: " + listener.getClass().getName(), ex);
			}
		}
	}

}
