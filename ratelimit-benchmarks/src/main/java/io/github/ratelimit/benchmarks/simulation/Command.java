package io.github.ratelimit.benchmarks.simulation;

import java.util.List;

/**
 * A script run on its way to a master and back.
 */
final class Command {

	private final List<Request> requests;

	private final boolean batched;

	private boolean done;

	/**
	 * Creates a run.
	 * @param requests the requests that it decides; none to connect
	 * @param batched whether a batcher started it
	 */
	Command(List<Request> requests, boolean batched) {
		this.requests = requests;
		this.batched = batched;
	}

	List<Request> requests() {
		return this.requests;
	}

	boolean isBatched() {
		return this.batched;
	}

	int calls() {
		return this.requests.stream().mapToInt((request) -> request.calls.size()).sum();
	}

	/** Returns true the first time. */
	boolean tryEnd() {
		boolean first = !this.done;
		this.done = true;
		return first;
	}

	/** Equal calls that are decided together, and what became of them. */
	static final class Request {

		private final int key;

		private final List<Call> calls;

		private final int prefetched;

		private final double askedAt;

		private double retryAfter;

		Request(int key, List<Call> calls, int prefetched, double askedAt) {
			this.key = key;
			this.calls = calls;
			this.prefetched = prefetched;
			this.askedAt = askedAt;
		}

		int key() {
			return this.key;
		}

		List<Call> calls() {
			return this.calls;
		}

		int prefetched() {
			return this.prefetched;
		}

		double askedAt() {
			return this.askedAt;
		}

		/** Returns how long further calls are denied, 0 if the last was allowed. */
		double retryAfter() {
			return this.retryAfter;
		}

		void deny(double retryAfter) {
			this.retryAfter = retryAfter;
		}

	}

	/**
	 * Call of an application.
	 *
	 * @param key its key
	 * @param began when it began
	 */
	record Call(int key, double began) {

	}

}
