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
 * soon as some runs are on their way, calls wait until one of these returns or so many
 * wait that they fill a run, and then share it. A run costs Redis and the connection
 * about as much as what it decides on, so that a busy Redis decides on more. Not for a
 * cluster, where no script can touch keys of several slots.
 */
final class SharedRuns {

	/** So few that they cannot keep Redis busy by themselves go at once. */
	static final int MOST_RUNS = 8;

	/** Redis does nothing else for the time of a run. */
	static final int MOST_CALLS = 32;

	private final Map<String, Line> lines = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final int mostRuns;

	/** Whether a Redis that is no cluster for its clients turned out to have slots. */
	private volatile boolean apart;

	/**
	 * Runs that calls share.
	 * @param mostRuns how many are on their way before calls wait
	 */
	SharedRuns(ScriptRunner runner, int mostRuns) {
		this.runner = runner;
		this.mostRuns = mostRuns;
	}

	/** Runs a script, as {@link ScriptRunner#runAsync} does, or has others run it too. */
	<T> CompletableFuture<T> run(ScriptCall call, ReplyReader<T> reader) {
		DecisionScript script = call.script();
		return (script.oneByOne() != null && !this.apart) ? line(script).run(call, reader)
				: this.runner.runAsync(call, reader);
	}

	private Line line(DecisionScript script) {
		Line known = this.lines.get(script.sha1());
		return (known != null) ? known : this.lines.computeIfAbsent(script.sha1(), (missing) -> new Line());
	}

	/** The calls that one script decides on. */
	private final class Line {

		private final Queue<WaitingCall<?>> waiting = new ConcurrentLinkedQueue<>();

		/** How many calls wait. */
		private final AtomicInteger size = new AtomicInteger();

		/** How many runs are on their way. */
		private final AtomicInteger runs = new AtomicInteger();

		<T> CompletableFuture<T> run(ScriptCall call, ReplyReader<T> reader) {
			if (!isAwaited() && mayRun()) {
				return runAlone(call, reader);
			}
			WaitingCall<T> last = new WaitingCall<>(call, reader);
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
			return others < SharedRuns.this.mostRuns || this.size.get() >= MOST_CALLS;
		}

		private <T> CompletableFuture<T> runAlone(ScriptCall call, ReplyReader<T> reader) {
			try {
				return SharedRuns.this.runner.runAsync(call, new AloneReader<>(this, reader));
			}
			catch (RuntimeException ex) {
				next();
				throw ex;
			}
		}

		/** Has those that wait take the place of a run that is over. */
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
			try {
				ScriptCall together = CombinedCall.of(calls.stream().map(WaitingCall::call).toList());
				CompletableFuture<?> unused = SharedRuns.this.runner.runAsync(together, new SharedReader(this, calls));
				return true;
			}
			catch (RuntimeException ex) {
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
			this.line.next();
			return this.reader.read(reply);
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			this.line.next();
			return this.reader.failed(failure);
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
				this.line.next();
			}
			try {
				return tell(reply);
			}
			finally {
				if (!isAwaited) {
					this.line.next();
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
			this.line.next();
			if (Failures.isReply(failure, "CROSSSLOT")) {
				SharedRuns.this.apart = true;
				this.calls.forEach((call) -> call.runBy(SharedRuns.this.runner));
			}
			else {
				this.calls.forEach((call) -> call.failed(failure));
			}
			return Failures.of(failure);
		}

	}

}
