package io.github.ratelimit.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The runs that decide requests. A few are in flight at a time, and at most one for each
 * count, as two would only be in each other's way. Further requests queue, and the next
 * run takes all that it may. Thread-safe.
 */
final class Runs {

	/** The most requests of a run, unless all are for the same counts. */
	static final int LARGEST_BATCH = 64;

	private final int most;

	private final Executor executor;

	private final UnaryOperator<List<PendingDecision>> run;

	private final Deque<PendingDecision> queued = new ArrayDeque<>();

	/** The counts of the runs in flight. */
	private final Set<String> busy = new HashSet<>();

	private int inFlight;

	/**
	 * Creates runs.
	 * @param most the most runs in flight
	 * @param executor starts a run
	 * @param run executes a run, and returns the requests that have to wait for another
	 * session, which then share no run with those that wait for none
	 */
	Runs(int most, Executor executor, UnaryOperator<List<PendingDecision>> run) {
		this.most = most;
		this.executor = executor;
		this.run = run;
	}

	void add(PendingDecision request) {
		start(queue(request));
	}

	private void start(@Nullable List<PendingDecision> batch) {
		if (batch == null) {
			return;
		}
		try {
			this.executor.execute(() -> run(batch));
		}
		catch (RuntimeException ex) {
			batch.forEach((request) -> request.fail(ex));
			start(next(batch, List.of()));
		}
	}

	private void run(List<PendingDecision> first) {
		List<PendingDecision> batch = first;
		while (batch != null) {
			List<PendingDecision> left = this.run.apply(batch);
			batch = next(batch, left);
			start(another());
		}
	}

	/**
	 * A request for a count of a run in flight starts none, as it has to wait for that.
	 */
	private synchronized @Nullable List<PendingDecision> queue(PendingDecision request) {
		this.queued.addLast(request);
		return isFree(request, Set.of()) ? tryTake() : null;
	}

	private synchronized @Nullable List<PendingDecision> another() {
		return tryTake();
	}

	private synchronized @Nullable List<PendingDecision> next(List<PendingDecision> ended, List<PendingDecision> left) {
		this.inFlight--;
		ended.forEach((request) -> this.busy.removeAll(request.keys()));
		for (int i = left.size() - 1; i >= 0; i--) {
			this.queued.addFirst(left.get(i));
		}
		return tryTake();
	}

	private @Nullable List<PendingDecision> tryTake() {
		if (this.inFlight >= this.most || this.queued.isEmpty()) {
			return null;
		}
		List<PendingDecision> batch = take();
		if (batch.isEmpty()) {
			return null;
		}
		batch.forEach((request) -> this.busy.addAll(request.keys()));
		this.inFlight++;
		return batch;
	}

	/**
	 * Takes the requests whose counts are in no run. Those of one count keep their order.
	 * All that wait for a count share a run, as it may wait for a lock, after which the
	 * others would have no time left.
	 */
	private List<PendingDecision> take() {
		List<PendingDecision> batch = new ArrayList<>();
		Set<String> passed = new HashSet<>();
		Iterator<PendingDecision> requests = this.queued.iterator();
		boolean isOfSame = true;
		while (requests.hasNext() && (isOfSame || batch.size() < LARGEST_BATCH)) {
			PendingDecision request = requests.next();
			if (request.isEnded()) {
				requests.remove();
			}
			else if (isFree(request, passed) && mayJoin(batch, request)) {
				requests.remove();
				batch.add(request);
				isOfSame = isOfSame && request.isOfSameCounts(batch.get(0));
			}
			else {
				passed.addAll(request.keys());
			}
		}
		return batch;
	}

	private static boolean mayJoin(List<PendingDecision> batch, PendingDecision request) {
		return batch.isEmpty() || (batch.get(0).mayShareRunWith(request)
				&& (batch.size() < LARGEST_BATCH || request.isOfSameCounts(batch.get(0))));
	}

	private boolean isFree(PendingDecision request, Set<String> passed) {
		for (String key : request.keys()) {
			if (this.busy.contains(key) || passed.contains(key)) {
				return false;
			}
		}
		return true;
	}

}
