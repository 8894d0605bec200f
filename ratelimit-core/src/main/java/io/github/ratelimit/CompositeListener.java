package io.github.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
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

	/**
	 * Starts a call that is about to be sent to the store.
	 * @param timed whether to measure how long the store takes
	 */
	Call start(List<Charge> charges, boolean timed) {
		return this.listeners.isEmpty() ? Call.UNHEARD : new Call(forCall(charges), charges, timed);
	}

	@Override
	@SuppressWarnings("ReferenceEquality") // the same listener, not an equal one
	public CompositeListener forCall(List<Charge> charges) {
		List<RateLimitListener> called = null;
		for (int i = 0; i < this.listeners.size(); i++) {
			RateLimitListener listener = this.listeners.get(i);
			RateLimitListener forCall = forCall(listener, charges);
			if (forCall != listener) {
				called = (called != null) ? called : new ArrayList<>(this.listeners);
				called.set(i, forCall);
			}
		}
		return (called != null) ? new CompositeListener(called) : this;
	}

	private static RateLimitListener forCall(RateLimitListener listener, List<Charge> charges) {
		try {
			return listener.forCall(charges);
		}
		catch (RuntimeException | Error ex) {
			log(listener, ex);
			return listener;
		}
	}

	@Override
	public void abandoned(List<Charge> charges, Throwable cause) {
		forEach((listener) -> listener.abandoned(charges, cause));
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
	public void adjusted(Charge charge, long difference) {
		forEach((listener) -> listener.adjusted(charge, difference));
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

	@Override
	public void leaseLost(String policy) {
		forEach((listener) -> listener.leaseLost(policy));
	}

	private void forEach(Consumer<RateLimitListener> event) {
		for (RateLimitListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				log(listener, ex);
			}
		}
	}

	private static void log(RateLimitListener listener, Throwable failure) {
		LOGGER.log(Level.WARNING, "A rate limit listener failed: " + listener.getClass().getName(), failure);
	}

	/** A call that was sent to the store, and the listeners to notify of its end. */
	static final class Call {

		/** A call without listeners. */
		private static final Call UNHEARD = new Call(new CompositeListener(List.of()), List.of(), false);

		private final CompositeListener listener;

		private final List<Charge> charges;

		private final boolean timed;

		/** The start of the last request to the store, by {@link System#nanoTime}. */
		private volatile long start;

		private Call(CompositeListener listener, List<Charge> charges, boolean timed) {
			this.listener = listener;
			this.charges = charges;
			this.timed = timed;
			startAgain();
		}

		/** Starts another request to the store, which alone counts from now on. */
		void startAgain() {
			if (this.timed) {
				this.start = System.nanoTime();
			}
		}

		/** Returns how long the store has taken, in nanoseconds; 0 if not measured. */
		long elapsedNanos() {
			return this.timed ? System.nanoTime() - this.start : 0;
		}

		void decided(Decision decision) {
			if (this != UNHEARD) {
				this.listener.decided(this.charges, decision, elapsedNanos());
			}
		}

		void failed(RateLimitStoreException failure, @Nullable Decision instead, long elapsedNanos) {
			this.listener.failed(this.charges, failure, instead, elapsedNanos);
		}

		void abandoned(Throwable cause) {
			this.listener.abandoned(this.charges, cause);
		}

	}

}
