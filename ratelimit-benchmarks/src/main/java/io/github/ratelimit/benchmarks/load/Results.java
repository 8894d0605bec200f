package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a run. A measurement that failed has none.
 */
final class Results {

	/** The highest ratio of two rounds that is not marked. */
	private static final double STEADY = 1.25;

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

	/**
	 * The ratio of two figures: the median of those of each round, in which both were
	 * measured one soon after the other. Not a number if one was not measured.
	 */
	double ratio(Cell cell, Cell other, ToDoubleFunction<Figures> figure) {
		double[] ratios = ratios(cell, other, figure);
		return (ratios.length > 0) ? Figures.median(ratios) : Double.NaN;
	}

	/** The ratio of two figures in each round. */
	double[] ratios(Cell cell, Cell other, ToDoubleFunction<Figures> figure) {
		List<Figures> one = this.figures.getOrDefault(cell, List.of());
		List<Figures> two = this.figures.getOrDefault(other, List.of());
		return IntStream.range(0, (one.size() == two.size()) ? one.size() : 0)
			.mapToDouble((round) -> figure.applyAsDouble(one.get(round)) / figure.applyAsDouble(two.get(round)))
			.toArray();
	}

	/** The mark of a speed that differs much between rounds; of others nothing. */
	String mark(Cell cell) {
		DoubleSummaryStatistics speeds = this.figures.getOrDefault(cell, List.of())
			.stream()
			.mapToDouble(Figures::perSecond)
			.summaryStatistics();
		return (speeds.getMax() > STEADY * speeds.getMin()) ? " ~" : "";
	}

	/**
	 * The figure of the fastest repetition, which other work on the machine disturbed
	 * least.
	 */
	double best(Cell cell, ToDoubleFunction<Figures> figure) {
		return this.figures.getOrDefault(cell, List.of())
			.stream()
			.max(Comparator.comparingDouble(Figures::perSecond))
			.map(figure::applyAsDouble)
			.orElse(Double.NaN);
	}

	/** A median, or what is no number. */
	double median(Cell cell, ToDoubleFunction<Figures> figure) {
		Figures median = median(cell);
		return (median != null) ? figure.applyAsDouble(median) : Double.NaN;
	}

}
