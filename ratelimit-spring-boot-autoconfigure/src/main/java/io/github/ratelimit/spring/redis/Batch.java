package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * Calls that ask the same and are decided on together, each of which is told its own
 * decision.
 */
final class Batch implements ReplyReader<@Nullable Void> {

	private final List<Debit> debits;

	private final List<CompletableFuture<Decision>> calls;

	private final long since;

	private final Denials denials;

	private final long epoch;

	/**
	 * A batch of calls.
	 * @param debits what each of them asks
	 * @param calls in the order in which they came
	 * @param since when the first of them came, as {@link System#nanoTime} has it
	 */
	Batch(List<Debit> debits, List<CompletableFuture<Decision>> calls, long since, Denials denials) {
		this.debits = debits;
		this.calls = calls;
		this.since = since;
		this.denials = denials;
		this.epoch = denials.epoch();
	}

	int size() {
		return this.calls.size();
	}

	long since() {
		return this.since;
	}

	@Override
	public @Nullable Void read(byte[] reply) {
		List<Decision> decisions = ScriptCalls.decisions(this.debits, size(), reply);
		this.denials.learn(this.debits, decisions.get(size() - 1), this.since, this.epoch);
		for (int i = 0; i < size(); i++) {
			this.calls.get(i).complete(decisions.get(i));
		}
		return null;
	}

	@Override
	public RuntimeException failed(Throwable failure) {
		RuntimeException known = Failures.of(failure);
		this.calls.forEach((call) -> call.completeExceptionally(known));
		return known;
	}

}
