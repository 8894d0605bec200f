package io.github.ratelimit.spring.redis;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.spring.redis.Breaker.Pass;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;

/**
 * Asks Redis only while it answers: each server has a {@link Breaker} of its own, so that
 * the slots of a cluster fail apart. Throws {@link RateLimitStoreException}s only.
 */
final class GuardedScriptRunner implements ScriptRunner {

	private final ScriptRunner runner;

	private final LongSupplier nanoClock;

	private final FailureLog log;

	private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();

	GuardedScriptRunner(ScriptRunner runner, LongSupplier nanoClock) {
		this.runner = runner;
		this.nanoClock = nanoClock;
		this.log = new FailureLog(nanoClock);
	}

	@Override
	public List<Object> run(ScriptCall call) {
		Breaker breaker = breaker(call);
		Pass pass = pass(breaker);
		try {
			List<Object> reply = this.runner.run(call);
			succeeded(breaker, pass);
			return reply;
		}
		catch (RuntimeException ex) {
			throw failed(breaker, pass, ex);
		}
	}

	@Override
	public CompletionStage<List<Object>> runAsync(ScriptCall call) {
		Breaker breaker = breaker(call);
		Pass pass = pass(breaker);
		try {
			return this.runner.runAsync(call).handle((reply, failure) -> {
				if (failure != null) {
					throw failed(breaker, pass, failure);
				}
				succeeded(breaker, pass);
				return reply;
			});
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(failed(breaker, pass, ex));
		}
	}

	@Override
	public void connect() {
		try {
			this.runner.connect();
		}
		catch (RuntimeException ex) {
			throw this.log.failed(Failures.of(ex));
		}
	}

	@Override
	public boolean isClustered() {
		return this.runner.isClustered();
	}

	@Override
	public String server(ScriptCall call) {
		return this.runner.server(call);
	}

	@Override
	public Collection<String> servers() {
		return this.runner.servers();
	}

	@Override
	public void reconnect() {
		this.runner.reconnect();
	}

	@Override
	public void close() {
		this.runner.close();
	}

	/** The worst of all servers. */
	BreakerState state() {
		this.breakers.keySet().retainAll(this.runner.servers());
		return this.breakers.values()
			.stream()
			.map(Breaker::state)
			.max(Comparator.naturalOrder())
			.orElse(BreakerState.CLOSED);
	}

	private Breaker breaker(ScriptCall call) {
		return this.breakers.computeIfAbsent(this.runner.server(call), (server) -> new Breaker(this.nanoClock));
	}

	private Pass pass(Breaker breaker) {
		Pass pass = breaker.ask();
		if (pass == Pass.NONE) {
			throw this.log
				.failed(new RateLimitStoreException("Redis has been failing and is not asked", Kind.OPEN, null));
		}
		if (pass == Pass.PROBE && breaker.suspectsConnection()) {
			this.runner.reconnect();
		}
		return pass;
	}

	private void succeeded(Breaker breaker, Pass pass) {
		breaker.succeeded(pass);
		this.log.succeeded();
	}

	/** Redis that answers with an error about the call itself is not failing. */
	private RateLimitStoreException failed(Breaker breaker, Pass pass, Throwable failure) {
		RateLimitStoreException known = Failures.of(failure);
		if (known.getKind() == Kind.OTHER) {
			breaker.succeeded(pass);
			return known;
		}
		breaker.failed(pass);
		return this.log.failed(known);
	}

}
