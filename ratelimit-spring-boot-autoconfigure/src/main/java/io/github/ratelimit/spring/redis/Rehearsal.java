package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A store that looks at counts whatever it is to do, and has Redis know all scripts that
 * such calls may need.
 */
final class Rehearsal implements RateLimitStore {

	private static final Log logger = LogFactory.getLog(RedisRateLimitStore.class);

	private final ScriptRunner runner;

	private final ScriptCalls calls;

	private final ScriptDecider decider;

	private final @Nullable Coalescer coalescer;

	Rehearsal(ScriptRunner runner, ScriptCalls calls, ScriptDecider decider, @Nullable Coalescer coalescer) {
		this.runner = runner;
		this.calls = calls;
		this.decider = decider;
		this.coalescer = coalescer;
	}

	@Override
	public String name() {
		return RedisRateLimitStore.NAME;
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		if (this.coalescer != null) {
			this.calls.scripts(debits).forEach(this::load);
			acquireNothing(this.coalescer, debits);
		}
		return this.decider.execute(Operation.PEEK, debits);
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return CompletableFuture.supplyAsync(() -> execute(operation, debits));
	}

	/** Without the right to do so, the first run brings the script along. */
	private void load(DecisionScript script) {
		try {
			this.runner.load(script);
		}
		catch (RuntimeException ex) {
			logger.debug("A script could not be loaded", ex);
		}
	}

	/** As calls do, but for those that would take permits in advance. */
	private static void acquireNothing(Coalescer coalescer, List<Debit> debits) {
		if (!Leases.areFor(debits)) {
			coalescer.acquire(debits.stream().map(Rehearsal::free).toList(), true).join();
		}
	}

	private static Debit free(Debit debit) {
		return new Debit(debit.clause(), debit.key(), 0, 0);
	}

}
