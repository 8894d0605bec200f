package io.github.ratelimit.spring.redis.driver;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.shared.CircuitBreaker;
import io.github.ratelimit.store.shared.CircuitBreaker.Pass;
import io.github.ratelimit.store.shared.FailureLog;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A script runner with a {@link CircuitBreaker} for each server, so that the servers of a
 * cluster fail on their own. It throws {@link RateLimitStoreException}s only.
 */
public final class CircuitBreakingScriptRunner implements ScriptRunner {

	private static final Log logger = LogFactory.getLog(CircuitBreakingScriptRunner.class);

	private final ScriptRunner runner;

	private final String name;

	private final LongSupplier nanoClock;

	private final FailureLog log;

	private final UnreadableCounts unreadable;

	private final Map<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

	/**
	 * Creates a runner.
	 * @param name the name of this Redis in logs
	 */
	public CircuitBreakingScriptRunner(ScriptRunner runner, String name, LongSupplier nanoClock) {
		this.runner = runner;
		this.nanoClock = nanoClock;
		this.name = name;
		this.log = new FailureLog(name, nanoClock, logger::warn, logger::info);
		this.unreadable = new UnreadableCounts(nanoClock);
	}

	@Override
	public <T> T run(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		return this.runner.run(invocation, guarded(invocation, handler));
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		return this.runner.runAsync(invocation, guarded(invocation, handler));
	}

	@Override
	public void connect() {
		try {
			this.runner.connect();
		}
		catch (RuntimeException ex) {
			throw this.log.onFailure(RedisFailures.of(ex));
		}
	}

	@Override
	public void load(DecisionScript script) {
		this.runner.load(script);
	}

	@Override
	public boolean blocks() {
		return this.runner.blocks();
	}

	@Override
	public boolean isClustered() {
		return this.runner.isClustered();
	}

	@Override
	public String server(ScriptInvocation invocation) {
		return this.runner.server(invocation);
	}

	@Override
	public Collection<String> servers() {
		return this.runner.servers();
	}

	@Override
	public long now() {
		return this.runner.now();
	}

	@Override
	public void reconnect(Kind failure) {
		this.runner.reconnect(failure);
	}

	@Override
	public void start() {
		this.runner.start();
	}

	@Override
	public void stop() {
		this.runner.stop();
	}

	@Override
	public void close() {
		this.runner.close();
	}

	/** Returns the name of this Redis in logs. */
	public String name() {
		return this.name;
	}

	/** Returns the number of values that were no counts and were overwritten. */
	public long unreadable() {
		return this.unreadable.overwritten();
	}

	/** Returns the worst state of all servers. */
	public BreakerState state() {
		this.breakers.keySet().retainAll(this.runner.servers());
		return this.breakers.values()
			.stream()
			.map(CircuitBreaker::state)
			.max(Comparator.naturalOrder())
			.orElse(BreakerState.CLOSED);
	}

	/** Returns the latest failure of any server, or null. */
	public @Nullable StoreFailure lastFailure() {
		return this.log.lastFailure();
	}

	/** Returns whether the breaker of an invocation's server lets it pass now. */
	public boolean mayPass(ScriptInvocation invocation) {
		return breaker(invocation).mayPass();
	}

	private CircuitBreaker breaker(ScriptInvocation invocation) {
		String server = this.runner.server(invocation);
		CircuitBreaker breaker = this.breakers.get(server);
		return (breaker != null) ? breaker
				: this.breakers.computeIfAbsent(server, (missing) -> new CircuitBreaker(this.nanoClock));
	}

	/**
	 * Returns a handler that reports to the breaker. Throws if that is open; the handler
	 * is not notified then.
	 */
	private <T> ReplyHandler<byte[], T> guarded(ScriptInvocation invocation, ReplyHandler<byte[], T> handler) {
		CircuitBreaker breaker = breaker(invocation);
		Pass pass = breaker.tryPass(invocation.requests() == 1);
		if (pass == Pass.NONE) {
			throw this.log.onFailure(RedisFailures.circuitOpen());
		}
		if (pass == Pass.PROBE) {
			probe(breaker, handler);
		}
		return new ObservingHandler<>(handler, breaker, pass, invocation);
	}

	private void probe(CircuitBreaker breaker, ReplyHandler<byte[], ?> handler) {
		handler.onProbe(RedisFailures.circuitOpen());
		if (breaker.trySuspectConnection()) {
			StoreFailure last = lastFailure();
			this.runner.reconnect((last != null) ? last.kind() : Kind.OTHER);
		}
	}

	/**
	 * A handler that reports the outcome of a run to the breaker and looks for unreadable
	 * counts.
	 */
	private final class ObservingHandler<T> implements ReplyHandler<byte[], T> {

		private final ReplyHandler<byte[], T> handler;

		private final CircuitBreaker breaker;

		private final Pass pass;

		private final ScriptInvocation invocation;

		ObservingHandler(ReplyHandler<byte[], T> handler, CircuitBreaker breaker, Pass pass,
				ScriptInvocation invocation) {
			this.handler = handler;
			this.breaker = breaker;
			this.pass = pass;
			this.invocation = invocation;
		}

		@Override
		public T onReply(byte[] reply) {
			this.breaker.onSuccess(this.pass);
			CircuitBreakingScriptRunner.this.log.onSuccess();
			T result = this.handler.onReply(reply);
			CircuitBreakingScriptRunner.this.unreadable.record(this.invocation, reply);
			return result;
		}

		/**
		 * Counts an error about the invocation itself as a success, as Redis is not
		 * failing.
		 */
		@Override
		public RuntimeException onFailure(Throwable failure) {
			RateLimitStoreException translated = RedisFailures.of(failure);
			if (translated.getKind() == Kind.OTHER) {
				this.breaker.onSuccess(this.pass);
			}
			else {
				CircuitBreakingScriptRunner.this.log.onFailure(translated);
				this.breaker.onFailure(this.pass, this.invocation.requests());
			}
			return this.handler.onFailure(translated);
		}

		@Override
		public void onLateReply() {
			this.breaker.onLateReply();
		}

	}

}
