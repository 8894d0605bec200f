package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has calls of different keys decided on by one run of a script while Redis is busy: as
 * soon as some calls are on their way, others wait until a run returns or so many wait
 * that they fill one, and then share it. A run costs Redis and the connection about as
 * much as what it decides on, so that a busy Redis decides on more. Not for a cluster,
 * where no script can touch keys of several slots.
 */
final class SharedRuns {

	/** Fewer calls on their way leave Redis idle: each may have a run. */
	static final int FEW_CALLS = 8;

	/** Fewer runs do so too, however many calls share them. */
	static final int MOST_RUNS = 4;

	/** Redis does nothing else for the time of a run. */
	static final int MOST_CALLS = 32;

	private final Map<String, Line> lines = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final int fewCalls;

	private final int mostRuns;

	/** Whether a Redis that is no cluster for its clients turned out to have slots. */
	private volatile boolean apart;

	/**
	 * Runs that calls share.
	 * @param fewCalls as many on their way let others wait
	 * @param mostRuns so do as many runs
	 */
	SharedRuns(ScriptRunner runner, int fewCalls, int mostRuns) {
		this.runner = runner;
		this.fewCalls = fewCalls;
		this.mostRuns = mostRuns;
	}

	/** Runs a script, as {@link ScriptRunner#runAsync} does, or has others run it too. */
	<T> CompletableFuture<T> run(ScriptCall call, ReplyReader<T> reader) {
		DecisionScript script = call.script();
		return (script.oneByOne() != null && !this.apart)
				? this.lines.computeIfAbsent(script.sha1(), (missing) -> new Line()).run(call, reader)
				: this.runner.runAsync(call, reader);
	}

	/** The calls that one script decides on. */
	private final class Line {

		private final Queue<WaitingCall<?>> waiting = new ConcurrentLinkedQueue<>();

		/** How many calls wait. */
		private final AtomicInteger size = new AtomicInteger();

		/** How many runs are on their way. */
		private final AtomicInteger runs = new AtomicInteger();

		/** How many calls these decide on. */
		private final AtomicInteger calls = new AtomicInteger();

		<T> CompletableFuture<T> run(ScriptCall call, ReplyReader<T> reader) {
			if (!isAwaited() && mayRun()) {
				return runAlone(call, reader);
			}
			WaitingCall<T> last = new WaitingCall<>(call, reader, SharedRuns.this.runner.now());
			this.waiting.add(last);
			this.size.incrementAndGet();
			if (mayRun()) {
				next();
			}
			return last;
		}

		private boolean mayRun() {
			int others = this.runs.get();
			while (hasRoom(others)) {
				if (this.runs.compareAndSet(others, others + 1)) {
					return true;
				}
				others = this.runs.get();
			}
			return false;
		}

		/** Calls that fill a run need not wait: a distant Redis is no busy one. */
		private boolean hasRoom(int others) {
			return others < SharedRuns.this.mostRuns || this.calls.get() < SharedRuns.this.fewCalls
					|| this.size.get() >= MOST_CALLS;
		}

		private <T> CompletableFuture<T> runAlone(ScriptCall call, ReplyReader<T> reader) {
			this.calls.incrementAndGet();
			try {
				return SharedRuns.this.runner.runAsync(call, new AloneReader<>(this, reader));
			}
			catch (RuntimeException ex) {
				ended(1);
				throw ex;
			}
		}

		/** Has those that wait take the place of a run that is over. */
		private void ended(int decided) {
			this.calls.addAndGet(-decided);
			next();
		}

		private void next() {
			boolean mayRun = true;
			while (mayRun) {
				List<WaitingCall<?>> next = hasRoom(this.runs.get() - 1) ? longestWaiting() : List.of();
				if (next.isEmpty()) {
					this.runs.decrementAndGet();
				}
				else if (isRun(next)) {
					return;
				}
				mayRun = !next.isEmpty() || (isAwaited() && mayRun());
			}
		}

		private boolean isAwaited() {
			return !this.waiting.isEmpty();
		}

		private List<WaitingCall<?>> longestWaiting() {
			List<WaitingCall<?>> longest = new ArrayList<>();
			WaitingCall<?> next = this.waiting.poll();
			while (next != null) {
				this.size.decrementAndGet();
				if (!next.isGivenUp()) {
					longest.add(next);
				}
				next = (longest.size() < MOST_CALLS) ? this.waiting.poll() : null;
			}
			return longest;
		}

		private boolean isRun(List<WaitingCall<?>> calls) {
			this.calls.addAndGet(calls.size());
			try {
				long waited = SharedRuns.this.runner.now() - calls.get(0).since();
				ScriptCall together = CombinedCall.of(calls.stream().map(WaitingCall::call).toList(), waited);
				CompletableFuture<?> unused = SharedRuns.this.runner.runAsync(together, new SharedReader(this, calls));
				return true;
			}
			catch (RuntimeException ex) {
				this.calls.addAndGet(-calls.size());
				calls.forEach((call) -> call.failed(ex));
				return false;
			}
		}

	}

	/** Sees to those that wait before it reads, so that Redis works meanwhile. */
	private static final class AloneReader<T> implements ReplyReader<T> {

		private final Line line;

		private final ReplyReader<T> reader;

		AloneReader(Line line, ReplyReader<T> reader) {
			this.line = line;
			this.reader = reader;
		}

		@Override
		public T read(byte[] reply) {
			this.line.ended(1);
			return this.reader.read(reply);
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			this.line.ended(1);
			return this.reader.failed(failure);
		}

		@Override
		public void probes() {
			this.reader.probes();
		}

	}

	/**
	 * The same for calls that share a run. If nobody waits, it keeps the place of the run
	 * for those that call again as soon as they are told.
	 */
	private final class SharedReader implements ReplyReader<Integer> {

		private final Line line;

		private final List<WaitingCall<?>> calls;

		SharedReader(Line line, List<WaitingCall<?>> calls) {
			this.line = line;
			this.calls = calls;
		}

		@Override
		public Integer read(byte[] reply) {
			boolean isAwaited = this.line.isAwaited();
			if (isAwaited) {
				this.line.ended(this.calls.size());
			}
			try {
				return tell(reply);
			}
			finally {
				if (!isAwaited) {
					this.line.ended(this.calls.size());
				}
			}
		}

		private int tell(byte[] reply) {
			int size = this.calls.size();
			for (int i = 0; i < size; i++) {
				this.calls.get(i).tell(CombinedCall.part(reply, i, size));
			}
			return size;
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			this.line.ended(this.calls.size());
			if (Failures.isReply(failure, "CROSSSLOT")) {
				SharedRuns.this.apart = true;
				this.calls.forEach((call) -> call.runBy(SharedRuns.this.runner));
			}
			else {
				this.calls.forEach((call) -> call.failed(failure));
			}
			return Failures.of(failure);
		}

		@Override
		public void probes() {
			this.calls.forEach(WaitingCall::probes);
		}

	}

}
