package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A blocking contender, measured with callers who have all called before: only these are
 * all denied, and new rows of a table take longer than known ones.
 *
 * @param contender who decides
 */
record Known(Contender contender) implements Contender {

	private static final int THREADS = 64;

	@Override
	public String name() {
		return this.contender.name();
	}

	@Override
	public void prepare(Scenario scenario) {
		this.contender.prepare(scenario);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			for (Future<Boolean> call : threads.invokeAll(calls(scenario))) {
				call.get();
			}
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException("A first call failed", ex);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private List<Callable<Boolean>> calls(Scenario scenario) {
		return scenario.keys().stream().<Callable<Boolean>>map((key) -> () -> acquire(key)).toList();
	}

	@Override
	public boolean acquire(String key) throws Exception {
		return this.contender.acquire(key);
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.contender.close();
	}

}
