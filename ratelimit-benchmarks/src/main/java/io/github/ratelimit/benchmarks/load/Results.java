package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a run. A measurement that failed has none.
 */
final class Results {

	private final Map<Cell, List<Figures>> figures = new LinkedHashMap<>();

	private final Collection<String> contenders = new LinkedHashSet<>();

	void add(Cell cell, Figures measured) {
		this.contenders.add(cell.contender());
		this.figures.computeIfAbsent(cell, (missing) -> new ArrayList<>()).add(measured);
	}

	/** Who was measured, in that order. */
	List<String> contenders() {
		return List.copyOf(this.contenders);
	}

	/** The medians of all repetitions. */
	@Nullable Figures median(Cell cell) {
		List<Figures> all = this.figures.get(cell);
		return (all != null) ? Figures.median(all) : null;
	}

	/** A median, or what is no number. */
	double median(Cell cell, ToDoubleFunction<Figures> figure) {
		Figures median = median(cell);
		return (median != null) ? figure.applyAsDouble(median) : Double.NaN;
	}

}
