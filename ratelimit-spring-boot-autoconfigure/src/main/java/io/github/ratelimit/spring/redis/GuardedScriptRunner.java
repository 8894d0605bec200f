package io.github.ratelimit.spring.redis;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

	private final String name;

	private final LongSupplier nanoClock;

	private final FailureLog log;

	private final UnreadableCounts unreadable;

	private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();

	/**
	 * A guard of one Redis.
	 * @param name how logs name it
	 */
	GuardedScriptRunner(ScriptRunner runner, String name, LongSupplier nanoClock) {
		this.runner = runner;
		this.nanoClock = nanoClock;
		this.name = name;
		this.log = new FailureLog(name, nanoClock);
		this.unreadable = new UnreadableCounts(nanoClock);
	}

	@Override
	public <T> T run(ScriptCall call, ReplyReader<T> reader) {
		return this.runner.run(call, guarded(call, reader));
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
		return this.runner.runAsync(call, guarded(call, reader));
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
	public String server(ScriptCall call) {
		return this.runner.server(call);
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
	public void reconnect() {
		this.runner.reconnect();
	}

	@Override
	public void close() {
		this.runner.close();
	}

	String name() {
		return this.name;
	}

	/** How many values that were no counts were overwritten so far. */
	long unreadable() {
		return this.unreadable.overwritten();
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
		String server = this.runner.server(call);
		Breaker known = this.breakers.get(server);
		return (known != null) ? known
				: this.breakers.computeIfAbsent(server, (missing) -> new Breaker(this.nanoClock));
	}

	/** Throws where a breaker is open, of which the reader is not told. */
	private <T> ReplyReader<T> guarded(ScriptCall call, ReplyReader<T> reader) {
		Breaker breaker = breaker(call);
		Pass pass = breaker.ask(call.calls() == 1);
		if (pass == Pass.NONE) {
			throw this.log.failed(Failures.notAsked());
		}
		if (pass == Pass.PROBE) {
			probe(breaker, reader);
		}
		return new GuardedReader<>(reader, breaker, pass, call);
	}

	private void probe(Breaker breaker, ReplyReader<?> reader) {
		reader.probes();
		if (breaker.suspectsConnection()) {
			this.runner.reconnect();
		}
	}

	/**
	 * Tells a breaker what becomes of a run, and looks for counts that were unreadable.
	 */
	private final class GuardedReader<T> implements ReplyReader<T> {

		private final ReplyReader<T> reader;

		private final Breaker breaker;

		private final Pass pass;

		private final ScriptCall call;

		GuardedReader(ReplyReader<T> reader, Breaker breaker, Pass pass, ScriptCall call) {
			this.reader = reader;
			this.breaker = breaker;
			this.pass = pass;
			this.call = call;
		}

		@Override
		public T read(byte[] reply) {
			this.breaker.succeeded(this.pass);
			GuardedScriptRunner.this.log.succeeded();
			GuardedScriptRunner.this.unreadable.look(this.call, reply);
			return this.reader.read(reply);
		}

		/** Redis that answers with an error about the call itself is not failing. */
		@Override
		public RuntimeException failed(Throwable failure) {
			RateLimitStoreException known = Failures.of(failure);
			if (known.getKind() == Kind.OTHER) {
				this.breaker.succeeded(this.pass);
			}
			else {
				this.breaker.failed(this.pass, this.call.calls());
				GuardedScriptRunner.this.log.failed(known);
			}
			return this.reader.failed(known);
		}

		@Override
		public void readTooLate() {
			this.breaker.answersTooLate();
		}

	}

}
