package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadlinesTests {

	private static final byte[] REPLY = { 1 };

	private static final ScriptCalls CALLS = new ScriptCalls("test", null);

	private static final List<Debit> DEBITS = List.of(new Debit(
			new Clause("quotes", "quotes", 0, Limit.parse("9/1h", Algorithm.TOKEN_BUCKET), 0), "alice", 1, 0));

	private final HandTime time = new HandTime();

	/** What is to be done once a thread that is busy has read. */
	private final Queue<Runnable> toRead = new ArrayDeque<>();

	private boolean busy;

	private final Deadlines deadlines = new Deadlines(Duration.ofMillis(100), this::execute, this.time);

	@Test
	void endsARunWhenItsTimeIsOver() {
		LettuceScriptRun<byte[]> run = run(0);
		this.time.pass(99);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsWhatCallsHaveWaited() {
		LettuceScriptRun<byte[]> run = run(60);
		this.time.pass(39);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeInWhichTheMachineStoodStill() {
		LettuceScriptRun<byte[]> run = run(0);
		this.time.pass(50);
		this.time.standStill(3000);
		this.time.pass(35);
		assertThat(run).isNotDone();
		this.time.pass(15);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeThatCallsWaitedWhileTheMachineStoodStill() {
		LettuceScriptRun<byte[]> first = run(0);
		long since = this.deadlines.now();
		this.busy = true;
		this.time.pass(40);
		this.time.standStill(3000);
		assertThat(this.deadlines.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
		first.accept(REPLY, null);
		read();
		assertThat(this.deadlines.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
	}

	@Test
	void endsNoRunWhoseReplyHasArrived() {
		LettuceScriptRun<byte[]> run = run(0);
		this.busy = true;
		this.time.pass(150);
		assertThat(run).isNotDone();
		run.accept(REPLY, null);
		read();
		assertThat(run).isCompletedWithValue(REPLY);
	}

	@Test
	void countsNoTimeInWhichNobodyCouldRead() {
		LettuceScriptRun<byte[]> run = run(0);
		this.busy = true;
		this.time.pass(110);
		read();
		this.time.pass(60);
		assertThat(run).isNotDone();
		this.time.pass(20);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void endsARunThoughTheThreadThatReadsIsBlocked() {
		LettuceScriptRun<byte[]> run = run(0);
		this.busy = true;
		this.time.pass(500);
		assertThat(run).isNotDone();
		this.time.pass(600);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void looksOnlyWhileThereAreRuns() {
		LettuceScriptRun<byte[]> run = run(0);
		run.accept(REPLY, null);
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
		LettuceScriptRun<byte[]> other = run(0);
		this.time.pass(100);
		assertThat(other).isCompletedExceptionally();
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
	}

	private LettuceScriptRun<byte[]> run(int waitedMillis) {
		ScriptCall call = CALLS.of(Operation.PEEK, DEBITS);
		LettuceScriptRun<byte[]> run = new LettuceScriptRun<>(new ScriptCall(call.script(), call.keys(),
				call.arguments(), 1, TimeUnit.MILLISECONDS.toNanos(waitedMillis)), new RawReply());
		this.deadlines.add(run);
		return run;
	}

	private void execute(Runnable task) {
		if (this.busy) {
			this.toRead.add(task);
		}
		else {
			task.run();
		}
	}

	private void read() {
		this.busy = false;
		this.toRead.forEach(Runnable::run);
	}

	/** Passes by the millisecond. */
	private static final class HandTime implements Deadlines.Time {

		private final List<Task> tasks = new ArrayList<>();

		private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(50));

		@Override
		public long nanos() {
			return this.now.get();
		}

		@Override
		public void runIn(long nanos, Runnable task) {
			this.tasks.add(new Task(nanos() + nanos, task));
		}

		void pass(int millis) {
			for (int milli = 0; milli < millis; milli++) {
				standStill(1);
			}
		}

		/** No task runs before the end of this time. */
		void standStill(int millis) {
			this.now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
			List<Task> due = this.tasks.stream().filter((task) -> task.due - nanos() <= 0).toList();
			this.tasks.removeAll(due);
			due.forEach((task) -> task.run.run());
		}

		private record Task(long due, Runnable run) {

		}

	}

}
