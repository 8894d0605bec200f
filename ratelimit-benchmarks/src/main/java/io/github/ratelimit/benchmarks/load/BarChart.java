package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars on a logarithmic scale, drawn as SVG: a group for each label, with a
 * bar for each series.
 */
final class BarChart {

	private static final List<String> COLOURS = List.of("#1b4965", "#5fa8d3", "#f4a259", "#8cb369");

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

	BarChart(String title, List<String> series) {
		this.title = title;
		this.series = series;
	}

	/** A group of bars; what is no number is left out. */
	void add(String label, List<Double> values) {
		this.labels.add(label);
		this.values.add(values);
	}

	String svg() {
		StringBuilder svg = new StringBuilder();
		int height = TOP + this.labels.size() * groupHeight() + GAP;
		svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
				+ "font-family=\"sans-serif\" font-size=\"11\">%n", LEFT + WIDTH + 70, height));
		svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
		text(svg, LEFT, 22, "start", this.title);
		legend(svg);
		for (int group = 0; group < this.labels.size(); group++) {
			group(svg, group, TOP + group * groupHeight());
		}
		return svg.append("</svg>\n").toString();
	}

	private void legend(StringBuilder svg) {
		for (int index = 0; index < this.series.size(); index++) {
			int x = LEFT + index * LEGEND;
			rectangle(svg, x, 36, 10, COLOURS.get(index));
			text(svg, x + 15, 46, "start", this.series.get(index));
		}
	}

	private void group(StringBuilder svg, int group, int y) {
		text(svg, LEFT - 8, y + groupHeight() / 2, "end", this.labels.get(group));
		for (int index = 0; index < this.series.size(); index++) {
			double value = this.values.get(group).get(index);
			if (!Double.isNaN(value)) {
				double width = length(value);
				rectangle(svg, LEFT, y + index * BAR, width, COLOURS.get(index));
				text(svg, LEFT + width + 5, y + index * BAR + 10, "start", Numbers.brief(value));
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

	private static void rectangle(StringBuilder svg, double x, double y, double width, String colour) {
		svg.append(
				String.format(Locale.ROOT, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>%n",
						x, y, width, BAR - 2, colour));
	}

	private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
		svg.append(String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%s</text>%n", x, y,
				anchor, text.replace("&", "&amp;").replace("<", "&lt;")));
	}

}
