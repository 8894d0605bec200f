package io.github.ratelimit.benchmarks.load;

import java.util.List;

/**
 * How many calls there are at any time.
 *
 * @param calls how many
 * @param blocking whether each has a thread that waits for it
 */
record Load(int calls, boolean blocking) {

	static final Load ONE = new Load(1, true);

	static final Load BLOCKING = new Load(64, true);

	static final Load ASYNC = new Load(256, false);

	static final List<Load> ALL = List.of(ONE, new Load(8, true), BLOCKING, ASYNC);

	String title() {
		return this.calls + (this.blocking ? " blocking" : " async");
	}

}
