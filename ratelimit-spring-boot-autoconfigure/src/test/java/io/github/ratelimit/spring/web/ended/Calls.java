package io.github.ratelimit.spring.web.ended;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The calls of a test by their id. Those that outlive their method end on another thread.
 */
final class Calls implements AutoCloseable {

	/** The prefix of the ids of calls that end when the test says so. */
	static final String HELD = "held-";

	private final Map<String, CompletableFuture<Void>> begun = new ConcurrentHashMap<>();

	private final Map<String, CompletableFuture<Void>> ended = new ConcurrentHashMap<>();

	private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);

	/** Records that the handler of a call has begun. */
	void begin(String id, Ending ending) {
		begun(id).complete(null);
		if (ending == Ending.THROWS) {
			throw new Failure();
		}
	}

	/** Completes when the handler of a call has begun. */
	CompletableFuture<Void> begun(String id) {
		return this.begun.computeIfAbsent(id, (call) -> new CompletableFuture<>());
	}

	/** Completes soon or, if the test holds the call, when the test says so. */
	CompletableFuture<Void> end(String id) {
		CompletableFuture<Void> end = this.ended.computeIfAbsent(id, (call) -> new CompletableFuture<>());
		if (!id.startsWith(HELD)) {
			ScheduledFuture<?> unused = this.later.schedule(() -> end.complete(null), 10, TimeUnit.MILLISECONDS);
		}
		return end;
	}

	/** Runs a task when a call ends. */
	void whenEnded(String id, Runnable task) {
		CompletableFuture<?> unused = end(id).thenRun(task);
	}

	/** Repeats a task until it fails. */
	void repeat(Task task) {
		ScheduledFuture<?> unused = this.later.schedule(() -> {
			try {
				task.run();
				repeat(task);
			}
			catch (Exception ex) {
				// The client has gone
			}
		}, 2, TimeUnit.MILLISECONDS);
	}

	/**
	 * Repeats a task until it fails, from when the handler has surely returned. If the
	 * first write to a client that has gone fails just when the handler returns, Tomcat
	 * forgets the request and calls no listener.
	 */
	void repeatLater(Task task) {
		ScheduledFuture<?> unused = this.later.schedule(() -> repeat(task), 100, TimeUnit.MILLISECONDS);
	}

	/** Waits for a timeout that interrupts the thread. */
	static void never() throws InterruptedException {
		new CountDownLatch(1).await(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		this.later.shutdownNow();
	}

	/** A step of a call. */
	interface Task {

		void run() throws Exception;

	}

}
