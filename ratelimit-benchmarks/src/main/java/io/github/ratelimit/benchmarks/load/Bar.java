package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * Target for a figure.
 *
 * @param what names the two things compared
 * @param measured the ratio, or the figure itself
 * @param atLeast whether more is better
 * @param bound the least or the most it may be
 */
record Bar(String what, double measured, boolean atLeast, double bound) {

	static Bar atLeast(double bound, String what, double measured) {
		return new Bar(what, measured, true, bound);
	}

	static Bar atMost(double bound, String what, double measured) {
		return new Bar(what, measured, false, bound);
	}

	boolean isMet() {
		return this.atLeast ? this.measured >= this.bound : this.measured <= this.bound;
	}

	static Table table(List<Bar> bars) {
		Table table = new Table(List.of("Bar", "Measured", "Held to", "Met"));
		for (Bar bar : bars) {
			table.row(List.of(bar.what, Numbers.brief(bar.measured),
					(bar.atLeast ? "≥ " : "≤ ") + Numbers.brief(bar.bound), bar.isMet() ? "yes" : "**no**"));
		}
		return table;
	}

}
