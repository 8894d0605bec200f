package io.github.ratelimit.jdbc;

import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.shared.CircuitBreaker;
import io.github.ratelimit.store.shared.CircuitBreaker.Pass;
import io.github.ratelimit.store.shared.FailureLog;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of all requests, by which the circuit breaker and the log judge the
 * database. Thread-safe.
 */
final class Outcomes {

	private static final Log logger = LogFactory.getLog(Outcomes.class);

	private final CircuitBreaker breaker = new CircuitBreaker(System::nanoTime);

	private final FailureLog log;

	private final Runnable onSuspicion;

	/**
	 * Creates outcomes.
	 * @param name the name of the database in logs
	 * @param onSuspicion is run if the connections may be dead without having been closed
	 */
	Outcomes(String name, Runnable onSuspicion) {
		this.log = new FailureLog(name, System::nanoTime, logger::warn, logger::info);
		this.onSuspicion = onSuspicion;
	}

	BreakerState state() {
		return this.breaker.state();
	}

	@Nullable StoreFailure lastFailure() {
		return this.log.lastFailure();
	}

	/**
	 * Returns a handler that reports the outcome of a request.
	 * @param handler the handler of the outcome, which is notified of it as well
	 * @throws RateLimitStoreException if the breaker is open
	 */
	<T> ReplyHandler<T, T> guarded(ReplyHandler<T, T> handler) {
		Pass pass = this.breaker.tryPass(true);
		if (pass == Pass.NONE) {
			throw this.log.onFailure(SqlFailures.circuitOpen());
		}
		if (pass == Pass.PROBE && this.breaker.trySuspectConnection()) {
			this.onSuspicion.run();
		}
		return new Guarded<>(handler, pass);
	}

	private final class Guarded<T> implements ReplyHandler<T, T> {

		private final ReplyHandler<T, T> handler;

		private final Pass pass;

		Guarded(ReplyHandler<T, T> handler, Pass pass) {
			this.handler = handler;
			this.pass = pass;
		}

		@Override
		public T onReply(T reply) {
			Outcomes.this.breaker.onSuccess(this.pass);
			Outcomes.this.log.onSuccess();
			return this.handler.onReply(reply);
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			RateLimitStoreException translated = SqlFailures.of(failure);
			if (SqlFailures.isOfDatabase(translated)) {
				Outcomes.this.log.onFailure(translated);
				Outcomes.this.breaker.onFailure(this.pass, 1);
			}
			else {
				Outcomes.this.breaker.onSuccess(this.pass);
			}
			return this.handler.onFailure(failure);
		}

		@Override
		public void onLateReply() {
			Outcomes.this.breaker.onLateReply();
		}

	}

}
