package io.github.ratelimit.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * A picture on a white ground, which is readable on light and dark pages.
 */
final class Svg {

	static final int WIDTH = 800;

	static final List<String> COLOURS = List.of("#1b4965", "#5fa8d3", "#f4a259", "#8cb369");

	private final StringBuilder text = new StringBuilder();

	Svg(int height) {
		append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + height
				+ "\" font-family=\"sans-serif\" font-size=\"11\">");
		append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
	}

	/** Draws the names of series and their colours side by side. */
	void legend(int left, int distance, List<String> series) {
		for (int index = 0; index < series.size(); index++) {
			int x = left + index * distance;
			rectangle(x, 36, 10, 11, COLOURS.get(index));
			text(x + 15, 46, "start", series.get(index));
		}
	}

	void rectangle(double x, double y, double width, int height, String colour) {
		append(String.format(Locale.ROOT, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>", x,
				y, width, height, colour));
	}

	void text(double x, double y, String anchor, String text) {
		append(String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
				text.replace("&", "&amp;").replace("<", "&lt;")));
	}

	private void append(String line) {
		this.text.append(line).append('\n');
	}

	@Override
	public String toString() {
		return this.text + "</svg>\n";
	}

}
