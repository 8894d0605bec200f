package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Has calls that ask the same at the same time decided together: all that come while
 * Redis decides on one wait for the next run of the script, which decides on them in the
 * order in which they came. The time of a call runs from when it came.
 */
final class Coalescer {

	private static final int PLACES = 16_384;

	/** The latest of each key, which may be over. */
	private final Places<Line> lines = new Places<>(PLACES);

	private final ScriptRunner runner;

	private final @Nullable SharedRuns shared;

	private final ScriptCalls calls;

	private final Denials denials;

	private final Leases leases;

	Coalescer(ScriptRunner runner, ScriptCalls calls, Denials denials, Leases leases) {
		this.runner = runner;
		this.shared = runner.isClustered() ? null : new SharedRuns(runner, SharedRuns.FEW_CALLS, SharedRuns.MOST_RUNS);
		this.calls = calls;
		this.denials = denials;
		this.leases = leases;
	}

	/** Whether a call is charged now or not at all, so that such calls can be counted. */
	static boolean isImmediate(List<Debit> debits) {
		for (int i = 0; i < debits.size(); i++) {
			if (debits.get(i).time() != 0 || debits.get(i).cost() == 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Has a call decided on.
	 * @param mayShare whether calls of other keys may share its run: not where a thread
	 * waits, as many that are woken at once hold up one another
	 */
	CompletableFuture<Decision> acquire(List<Debit> debits, boolean mayShare) {
		Line latest = this.lines.get(debits.get(0));
		CompletableFuture<Decision> call = (latest != null && latest.debits.equals(debits)) ? latest.join() : null;
		return (call != null) ? call : first(new Line(debits), mayShare);
	}

	/** Calls whose line is not found, as another has its place, need a run more. */
	private CompletableFuture<Decision> first(Line line, boolean mayShare) {
		this.lines.put(line.debits.get(0), line);
		if (Leases.areFor(line.debits)) {
			CompletableFuture<Decision> call = new CompletableFuture<>();
			ask(line, line.batch(List.of(call), this.runner.now()));
			return call;
		}
		try {
			ScriptCall call = this.calls.of(Operation.ACQUIRE, line.debits);
			FirstReader reader = new FirstReader(line);
			return (mayShare && this.shared != null) ? this.shared.run(call, reader)
					: this.runner.runAsync(call, reader);
		}
		catch (RuntimeException ex) {
			line.end().fail(ex);
			throw ex;
		}
	}

	private void next(Line line) {
		if (Leases.areFor(line.debits)) {
			line.spendLease().forEach(CompletableFuture::complete);
		}
		Batch batch = line.next();
		if (batch != null) {
			ask(line, batch);
		}
	}

	private void ask(Line line, Batch batch) {
		try {
			CompletableFuture<?> unused = this.runner.runAsync(batch.call(this.calls, this.runner.now()),
					new BatchReader(line, batch));
		}
		catch (RuntimeException ex) {
			batch.fail(ex);
			line.end().fail(ex);
		}
	}

	/**
	 * Sees to those that wait before it reads, so that Redis works meanwhile.
	 */
	private final class FirstReader implements ReplyReader<Decision> {

		private final Line line;

		private final long asked = Coalescer.this.denials.now();

		private final long epoch = Coalescer.this.denials.epoch();

		FirstReader(Line line) {
			this.line = line;
		}

		@Override
		public Decision read(byte[] reply) {
			next(this.line);
			Decision decision = ScriptCalls.decision(this.line.debits, reply);
			if (decision.allowed() || !Coalescer.this.leases.tryMakeRoom(this.line.debits, decision)) {
				Coalescer.this.denials.learn(this.line.debits, decision, this.asked, this.epoch);
			}
			return decision;
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			next(this.line);
			return Failures.of(failure);
		}

		@Override
		public void probes() {
			this.line.fail();
		}

	}

	/** The same for several calls. */
	private final class BatchReader implements ReplyReader<List<Decision>> {

		private final Line line;

		private final Batch batch;

		BatchReader(Line line, Batch batch) {
			this.line = line;
			this.batch = batch;
		}

		@Override
		public List<Decision> read(byte[] reply) {
			this.batch.keepLease(reply);
			next(this.line);
			return this.batch.tell(reply);
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			next(this.line);
			return this.batch.fail(failure);
		}

		@Override
		public void probes() {
			this.line.fail();
		}

	}

	/** The calls that ask the same as those that Redis decides on now. */
	private final class Line {

		private final List<Debit> debits;

		private List<CompletableFuture<Decision>> waiting = List.of();

		private long since;

		private boolean over;

		Line(List<Debit> debits) {
			this.debits = debits;
		}

		/** Null if the line is over, so that nobody would decide. */
		synchronized @Nullable CompletableFuture<Decision> join() {
			if (this.over) {
				return null;
			}
			if (this.waiting.isEmpty()) {
				this.waiting = new ArrayList<>();
				this.since = Coalescer.this.runner.now();
			}
			CompletableFuture<Decision> call = new CompletableFuture<>();
			this.waiting.add(call);
			return call;
		}

		/** Decides on those that wait as far as permits were charged in advance. */
		synchronized Map<CompletableFuture<Decision>, Decision> spendLease() {
			Map<CompletableFuture<Decision>, Decision> decided = new LinkedHashMap<>();
			Decision next = this.waiting.isEmpty() ? null : Coalescer.this.leases.spend(this.debits);
			while (next != null) {
				decided.put(this.waiting.get(decided.size()), next);
				next = (decided.size() < this.waiting.size()) ? Coalescer.this.leases.spend(this.debits) : null;
			}
			this.waiting = new ArrayList<>(this.waiting.subList(decided.size(), this.waiting.size()));
			return decided;
		}

		/** Those that wait; null if nobody does, and then the line is over. */
		synchronized @Nullable Batch next() {
			if (this.waiting.isEmpty()) {
				this.over = true;
				return null;
			}
			Batch next = batch(this.waiting, this.since);
			this.waiting = List.of();
			return next;
		}

		/** Those that wait: where Redis is not even asked, nobody need wait for that. */
		synchronized Batch end() {
			this.over = true;
			return batch(this.waiting, this.since);
		}

		/**
		 * Those that wait, and any other, would wait for a server that has been failing.
		 */
		void fail() {
			end().fail(Failures.notAsked());
		}

		Batch batch(List<CompletableFuture<Decision>> calls, long since) {
			return new Batch(this.debits, calls, since, Coalescer.this.denials, Coalescer.this.leases);
		}

	}

}
