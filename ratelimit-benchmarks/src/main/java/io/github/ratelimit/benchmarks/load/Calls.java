package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.HdrHistogram.Histogram;

/**
 * The calls of one measurement, from their start to the end of the last.
 */
final class Calls {

	private final List<Caller> callers;

	private final CountDownLatch running;

	private Calls(List<Caller> callers) {
		this.callers = callers;
		this.running = new CountDownLatch(callers.size());
	}

	/** Starts callers that go on until the phase ends. */
	static Calls start(Contender contender, Scenario scenario, Load load, Phase phase) {
		Calls calls = new Calls(
				IntStream.range(0, load.calls()).mapToObj((seed) -> new Caller(phase, scenario.keys(), seed)).toList());
		if (load.blocking()) {
			calls.startBlocking(contender, scenario, phase);
		}
		else {
			calls.startAsync(contender, scenario, phase);
		}
		return calls;
	}

	private void startBlocking(Contender contender, Scenario scenario, Phase phase) {
		for (Caller caller : this.callers) {
			start(new BlockingCalls(contender, caller, phase, scenario.allows(), this.running::countDown));
		}
	}

	/**
	 * A thread for each processor, as calls whose answer is there at once never yield.
	 */
	private void startAsync(Contender contender, Scenario scenario, Phase phase) {
		List<AsyncCalls> calls = new ArrayList<>();
		for (Caller caller : this.callers) {
			calls.add(new AsyncCalls(contender, caller, phase, scenario.allows(), this.running::countDown));
		}
		int threads = Runtime.getRuntime().availableProcessors();
		for (int thread = 0; thread < threads; thread++) {
			List<AsyncCalls> some = calls.subList(thread * calls.size() / threads,
					(thread + 1) * calls.size() / threads);
			start(() -> some.forEach(AsyncCalls::run));
		}
	}

	private static void start(Runnable calls) {
		Thread thread = new Thread(calls, "caller");
		thread.setDaemon(true);
		thread.start();
	}

	void awaitEnd() {
		try {
			this.running.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	/** How long each call took that was measured, in nanoseconds. */
	Histogram latencies() {
		Histogram all = new Histogram(this.callers.get(0).latencies());
		this.callers.forEach((caller) -> all.add(caller.latencies()));
		return all;
	}

	/** How many calls were admitted or denied that should not have been. */
	long unexpected() {
		return this.callers.stream().mapToLong(Caller::unexpected).sum();
	}

}
