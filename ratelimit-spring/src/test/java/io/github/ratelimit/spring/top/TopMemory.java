package io.github.ratelimit.spring.top;

import io.github.ratelimit.spring.ForkedHeap;

/**
 * A measurement of the memory that the top keys of a policy take up.
 */
final class TopMemory {

	private static final int POLICIES = 200;

	private TopMemory() {
	}

	public static void main(String[] arguments) {
		PolicyTop[] tops = new PolicyTop[POLICIES];
		fill(new PolicyTop(0), 0);
		long before = ForkedHeap.used();
		for (int i = 0; i < tops.length; i++) {
			tops[i] = new PolicyTop(0);
			fill(tops[i], 0);
			fill(tops[i], PolicyTop.PERIOD.toNanos());
		}
		long bytes = (ForkedHeap.used() - before) / tops.length;
		if (tops[0].report(PolicyTop.PERIOD.toNanos()).isEmpty()) {
			throw new IllegalStateException("nothing was counted");
		}
		ForkedHeap.report(bytes);
	}

	private static void fill(PolicyTop top, long now) {
		for (int i = 0; i < 1000; i++) {
			top.deny("%056d".formatted(i), now);
			top.denyInShadow("%056d".formatted(i + 2000), now);
			top.spend("%056d".formatted(i + 1000), 1, now);
		}
	}

}
