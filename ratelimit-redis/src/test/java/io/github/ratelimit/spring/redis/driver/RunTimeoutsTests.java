package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunTimeoutsTests {

	private static final byte[] REPLY = { 1 };

	private static final ScriptCodec CODEC = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis));

	private static final List<PermitRequest> PERMITS = List.of(new PermitRequest(
			new PolicyLimit("quotes", "quotes", 0, Limit.parse("9/1h", Algorithm.TOKEN_BUCKET), 0), "alice", 1, 0));

	private final ManualTime time = new ManualTime();

	/** The tasks that follow once a busy thread has read. */
	private final Queue<Runnable> toRead = new ArrayDeque<>();

	private boolean busy;

	private final RunTimeouts timeouts = new RunTimeouts(Duration.ofMillis(100), this::execute, this.time);

	@Test
	void failsARunAtItsTimeout() {
		PendingLettuceRun<byte[]> run = run(0);
		this.time.pass(99);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsTheTimeInTheQueue() {
		PendingLettuceRun<byte[]> run = run(60);
		this.time.pass(39);
		assertThat(run).isNotDone();
		this.time.pass(1);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeInWhichTheMachineStoodStill() {
		PendingLettuceRun<byte[]> run = run(0);
		this.time.pass(50);
		this.time.standStill(3000);
		this.time.pass(35);
		assertThat(run).isNotDone();
		this.time.pass(15);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void countsNoTimeInTheQueueWhileTheMachineStoodStill() {
		PendingLettuceRun<byte[]> first = run(0);
		long since = this.timeouts.now();
		this.busy = true;
		this.time.pass(40);
		this.time.standStill(3000);
		assertThat(this.timeouts.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
		first.accept(REPLY, null);
		read();
		assertThat(this.timeouts.now() - since).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
	}

	@Test
	void failsNoRunWhoseReplyHasArrived() {
		PendingLettuceRun<byte[]> run = run(0);
		this.busy = true;
		this.time.pass(150);
		assertThat(run).isNotDone();
		run.accept(REPLY, null);
		read();
		assertThat(run).isCompletedWithValue(REPLY);
	}

	@Test
	void countsNoTimeInWhichTheReadingThreadWasBusy() {
		PendingLettuceRun<byte[]> run = run(0);
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
		PendingLettuceRun<byte[]> run = run(0);
		this.busy = true;
		this.time.pass(500);
		assertThat(run).isNotDone();
		this.time.pass(600);
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void sweepsOnlyWhileThereAreRuns() {
		PendingLettuceRun<byte[]> run = run(0);
		run.accept(REPLY, null);
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
		PendingLettuceRun<byte[]> other = run(0);
		this.time.pass(100);
		assertThat(other).isCompletedExceptionally();
		this.time.pass(10);
		assertThat(this.time.tasks).isEmpty();
	}

	@Test
	void timesOutFurtherRunsIfAHandlerThrows() {
		PendingLettuceRun<byte[]> run = run(0, new ReplyHandler<>() {

			@Override
			public byte[] onReply(byte[] reply) {
				return reply;
			}

			@Override
			public RuntimeException onFailure(Throwable failure) {
				throw new IllegalStateException("a mistake of the handler");
			}

		});
		this.time.pass(100);
		assertThat(run).isCompletedExceptionally();
		PendingLettuceRun<byte[]> next = run(0);
		this.time.pass(100);
		assertThat(next).isCompletedExceptionally();
	}

	@Test
	void failsARunThatIsRepliedToWithNothing() {
		PendingLettuceRun<byte[]> run = run(0);
		run.accept(null, null);
		assertThat(run).isCompletedExceptionally();
		assertThat(run.isEnded()).isTrue();
	}

	private PendingLettuceRun<byte[]> run(int waitedMillis) {
		return run(waitedMillis, new RawReply());
	}

	private PendingLettuceRun<byte[]> run(int waitedMillis, ReplyHandler<byte[]> handler) {
		ScriptInvocation invocation = CODEC.encode(new StoreRequest(StoreOperation.PEEK, PERMITS));
		PendingLettuceRun<byte[]> run = new PendingLettuceRun<>(new ScriptInvocation(invocation.script(),
				invocation.keys(), invocation.arguments(), 1, TimeUnit.MILLISECONDS.toNanos(waitedMillis)), handler);
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
