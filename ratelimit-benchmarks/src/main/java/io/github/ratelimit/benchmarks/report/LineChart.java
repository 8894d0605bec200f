package io.github.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Lines through points, drawn as SVG, one for each series.
 */
public final class LineChart {

	private static final int LEFT = 90;

	private static final int TOP = 70;

	private static final int WIDE = 670;

	private static final int HIGH = 240;

	private static final int LEGEND = 172;

	private final String title;

	private final List<String> series;

	private final Axis across;

	private final Axis up;

	private final List<double[]> points = new ArrayList<>();

	/**
	 * Creates a chart without points.
	 * @param series the names of the lines
	 * @param across the axis from left to right
	 * @param up the axis from the bottom to the top
	 */
	public LineChart(String title, List<String> series, Axis across, Axis up) {
		this.title = title;
		this.series = series;
		this.across = across;
		this.up = up;
	}

	/**
	 * Adds the points of all series at one place.
	 * @param values one for each series; one that is not a number is left out
	 */
	public void add(double x, double... values) {
		double[] all = new double[values.length + 1];
		all[0] = x;
		System.arraycopy(values, 0, all, 1, values.length);
		this.points.add(all);
	}

	/** Returns the picture. */
	public String svg() {
		Svg svg = new Svg(TOP + HIGH + 50);
		svg.text(LEFT, 22, "start", this.title);
		svg.legend(LEFT, LEGEND, this.series);
		for (double tick : this.across.ticks) {
			svg.line(List.of(point(tick, this.up.least()), point(tick, this.up.most())), 0.5, "#cccccc");
			svg.text(x(tick), TOP + HIGH + 16, "middle", this.across.format.apply(tick));
		}
		for (double tick : this.up.ticks) {
			svg.line(List.of(point(this.across.least(), tick), point(this.across.most(), tick)), 0.5, "#cccccc");
			svg.text(LEFT - 6, y(tick) + 4, "end", this.up.format.apply(tick));
		}
		svg.text(LEFT + WIDE / 2.0, TOP + HIGH + 36, "middle", this.across.title);
		svg.text(LEFT, TOP - 8, "start", this.up.title);
		for (int index = 0; index < this.series.size(); index++) {
			svg.line(points(index + 1), 2, Svg.COLOURS.get(index));
		}
		return svg.toString();
	}

	private List<String> points(int column) {
		return this.points.stream()
			.filter((values) -> !Double.isNaN(values[column]))
			.map((values) -> point(values[0], values[column]))
			.toList();
	}

	private String point(double x, double y) {
		return String.format(Locale.ROOT, "%.1f,%.1f", x(x), y(y));
	}

	private double x(double value) {
		return LEFT + WIDE * this.across.share(value);
	}

	private double y(double value) {
		return TOP + HIGH * (1 - this.up.share(value));
	}

	/**
	 * Axis from its first to its last tick.
	 *
	 * @param title the quantity
	 * @param isLogarithmic whether equal distances are equal ratios
	 * @param ticks the values with a line, in ascending order
	 * @param format the text of a tick
	 */
	public record Axis(String title, boolean isLogarithmic, List<Double> ticks, DoubleFunction<String> format) {

		double least() {
			return this.ticks.get(0);
		}

		double most() {
			return this.ticks.get(this.ticks.size() - 1);
		}

		/** Returns the place of a value, from 0 to 1; one outside is at the end. */
		double share(double value) {
			double share = (scaled(value) - scaled(least())) / (scaled(most()) - scaled(least()));
			return Math.max(0, Math.min(1, share));
		}

		private double scaled(double value) {
			return this.isLogarithmic ? Math.log(Math.max(value, least())) : value;
		}

	}

}
