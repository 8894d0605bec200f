package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of timeouts on a clock of the test. */
class RunTimeoutsTests {

	private static final String REPLY = "reply";

	private final ManualTime time = new ManualTime();

	/** The tasks that follow once a busy thread has read. */
	private final Queue<Runnable> toRead = new ArrayDeque<>();

	private boolean busy;

	private final RunTimeouts timeouts = new RunTimeouts(Duration.ofMillis(100), this::execute, this.time);

	@Test
	void failsARunAtItsTimeout() {
		TestRun run = run(0);
		this.time.pass(99);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsTheTimeInTheQueue() {
		TestRun run = run(60);
		this.time.pass(39);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeInWhichTheMachineStoodStill() {
		TestRun run = run(0);
		this.time.pass(50);
		this.time.standStill(3000);
		this.time.pass(35);
		assertThat(run).isNotDone();
		this.time.pass(15);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeInTheQueueWhileTheMachineStoodStill() {
		TestRun first = run(0);
		long since = this.timeouts.now();
		this.busy = true;
		this.time.pass(40);
		this.time.standStill(3000);
		assertThat(this.timeouts.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
		first.read(REPLY);
		read();
		assertThat(this.timeouts.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
	}

	@Test
	void failsNoRunWhoseReplyHasArrived() {
		TestRun run = run(0);
		this.busy = true;
		this.time.pass(150);
		assertThat(run).isNotDone();
		run.read(REPLY);
		read();
		assertThat(run).isCompletedWithValue(REPLY);
	}

	@Test
	void countsNoTimeInWhichTheReadingThreadWasBusy() {
		TestRun run = run(0);
		this.busy = true;
		this.time.pass(110);
		read();
		this.time.pass(60);
		assertThat(run).isNotDone();
		this.time.pass(20);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void failsARunEvenIfTheReadingThreadIsBlocked() {
		TestRun run = run(0);
		this.busy = true;
		this.time.pass(500);
		assertThat(run).isNotDone();
		this.time.pass(600);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void sweepsOnlyWhileThereAreRuns() {
		TestRun run = run(0);
		run.read(REPLY);
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
		TestRun other = run(0);
		this.time.pass(100);
		assertThat(other).isCompletedExceptionally();
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
	}

	@Test
	void timesOutFurtherRunsIfAHandlerThrows() {
		TestRun run = run(0, (failure) -> {
			throw new IllegalStateException("a mistake of the handler");
		});
		this.time.pass(100);
		assertThat(run).isCompletedExceptionally();
		TestRun next = run(0);
		this.time.pass(100);
		assertThat(next).isCompletedExceptionally();
	}

	private TestRun run(int waitedMillis) {
		return run(waitedMillis, (failure) -> new IllegalStateException(failure));
	}

	private TestRun run(int waitedMillis, Function<Throwable, RuntimeException> onFailure) {
		TestRun run = new TestRun(onFailure, TimeUnit.MILLISECONDS.toNanos(waitedMillis));
		this.timeouts.add(run);
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

	/** A run that results in the reply. */
	private static final class TestRun extends PendingRun<String, String> {

		TestRun(Function<Throwable, RuntimeException> onFailure, long waited) {
			super(new ReplyHandler<>() {

				@Override
				public String onReply(String reply) {
					return reply;
				}

				@Override
				public RuntimeException onFailure(Throwable failure) {
					return onFailure.apply(failure);
				}

			}, waited);
		}

	}

	/** A time source that advances by the millisecond. */
	private static final class ManualTime implements RunTimeouts.TimeSource {

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

		/** Advances without a task until the end. */
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
