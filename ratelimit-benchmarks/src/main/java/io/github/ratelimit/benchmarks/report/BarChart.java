package io.github.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Horizontal bars on a logarithmic scale, drawn as SVG: a group for each label, with a
 * bar for each series.
 */
public final class BarChart {

	private static final int LEFT = 250;

	private static final int WIDTH = 480;

	private static final int LEGEND = 140;

	private static final int TOP = 64;

	private static final int BAR = 13;

	private static final int GAP = 9;

	private final String title;

	private final List<String> series;

	private final List<String> labels = new ArrayList<>();

	private final List<List<Double>> values = new ArrayList<>();

	/**
	 * Creates a chart without bars.
	 * @param series the names of the bars of each group
	 */
	public BarChart(String title, List<String> series) {
		this.title = title;
		this.series = series;
	}

	/** Adds a group of bars; what is no number is left out. */
	public void add(String label, List<Double> values) {
		this.labels.add(label);
		this.values.add(values);
	}

	/** Returns the picture. */
	public String svg() {
		Svg svg = new Svg(TOP + this.labels.size() * groupHeight() + GAP);
		svg.text(LEFT, 22, "start", this.title);
		svg.legend(LEFT, LEGEND, this.series);
		for (int group = 0; group < this.labels.size(); group++) {
			group(svg, group, TOP + group * groupHeight());
		}
		return svg.toString();
	}

	private void group(Svg svg, int group, int y) {
		svg.text(LEFT - 8, y + groupHeight() / 2, "end", this.labels.get(group));
		for (int index = 0; index < this.series.size(); index++) {
			double value = this.values.get(group).get(index);
			if (!Double.isNaN(value)) {
				double width = length(value);
				svg.rectangle(LEFT, y + index * BAR, width, BAR - 2, Svg.COLOURS.get(index));
				svg.text(LEFT + width + 5, y + index * BAR + 10, "start", Numbers.brief(value));
			}
		}
	}

	private int groupHeight() {
		return this.series.size() * BAR + GAP;
	}

	/** A decade below the least value is where the scale begins. */
	private double length(double value) {
		double[] all = this.values.stream()
			.flatMap(List::stream)
			.mapToDouble(Double::doubleValue)
			.filter((number) -> !Double.isNaN(number))
			.toArray();
		double least = Math.floor(Math.log10(Arrays.stream(all).min().orElse(1)));
		double most = Math.log10(Arrays.stream(all).max().orElse(10));
		return Math.max(1, WIDTH * (Math.log10(value) - least) / Math.max(0.1, most - least));
	}

}
