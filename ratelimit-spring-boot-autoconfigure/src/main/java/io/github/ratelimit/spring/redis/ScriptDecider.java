package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;

/**
 * Decides on one call by one run of a script, so on counts that Redis can touch together.
 */
final class ScriptDecider {

	private final ScriptRunner runner;

	private final ScriptCalls calls;

	private final Denials denials;

	ScriptDecider(ScriptRunner runner, ScriptCalls calls, Denials denials) {
		this.runner = runner;
		this.calls = calls;
		this.denials = denials;
	}

	Decision execute(Operation operation, List<Debit> debits) {
		DecisionReader reader = new DecisionReader(operation, debits, this.denials);
		return this.runner.run(this.calls.of(operation, debits), reader);
	}

	CompletableFuture<Decision> executeAsync(Operation operation, List<Debit> debits) {
		DecisionReader reader = new DecisionReader(operation, debits, this.denials);
		return this.runner.runAsync(this.calls.of(operation, debits), reader);
	}

}
