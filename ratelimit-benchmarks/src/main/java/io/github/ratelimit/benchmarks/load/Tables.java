package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.github.ratelimit.benchmarks.report.BarChart;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * Tables of the figures of a run: contenders by loads, for each scenario and figure.
 */
final class Tables {

	private final Results results;

	private final List<Load> loads;

	Tables(Results results, List<Load> loads) {
		this.results = results;
		this.loads = loads;
	}

	/** All tables of some scenarios. */
	String markdown(List<Scenario> scenarios) {
		StringBuilder text = new StringBuilder();
		append(text, scenarios, "decisions a second", (figures) -> Numbers.brief(figures.perSecond()));
		append(text, scenarios, "p50 / p99",
				(figures) -> Numbers.micros(figures.p50()) + " / " + Numbers.micros(figures.p99()));
		append(text, scenarios, "processor time of Redis for a decision",
				(figures) -> Numbers.micros(figures.serverMicros()));
		append(text, scenarios, "processor time of the client for a decision",
				(figures) -> Numbers.micros(figures.clientMicros()));
		append(text, scenarios, "bytes allocated by the client for a decision",
				(figures) -> Numbers.brief(figures.allocated()));
		return text.toString();
	}

	/** Decisions a second in one scenario, drawn. */
	BarChart chart(Scenario scenario) {
		BarChart chart = new BarChart("Decisions a second: " + scenario.title(),
				this.loads.stream().map(Load::title).toList());
		for (String contender : this.results.contenders()) {
			chart.add(contender, figures(contender, scenario, Figures::perSecond));
		}
		return chart;
	}

	private void append(StringBuilder text, List<Scenario> scenarios, String what, Function<Figures, String> format) {
		for (Scenario scenario : scenarios) {
			text.append("**%s: %s**%n%n".formatted(scenario.title(), what))
				.append(table(scenario, format))
				.append('\n');
		}
	}

	private Table table(Scenario scenario, Function<Figures, String> format) {
		List<String> header = new ArrayList<>(List.of(""));
		this.loads.forEach((load) -> header.add(load.title()));
		Table table = new Table(header);
		for (String contender : this.results.contenders()) {
			List<String> row = new ArrayList<>(List.of(contender));
			this.loads.forEach((load) -> row.add(text(new Cell(contender, scenario, load), format)));
			table.row(row);
		}
		return table;
	}

	private List<Double> figures(String contender, Scenario scenario, ToDoubleFunction<Figures> figure) {
		return this.loads.stream()
			.map((load) -> this.results.median(new Cell(contender, scenario, load), figure))
			.toList();
	}

	private String text(Cell cell, Function<Figures, String> format) {
		Figures figures = this.results.median(cell);
		return (figures != null) ? format.apply(figures) + this.results.mark(cell) : "–";
	}

}
