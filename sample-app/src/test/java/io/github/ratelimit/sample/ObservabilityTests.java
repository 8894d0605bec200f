package io.github.ratelimit.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard and of the alert rules: they know the documented meters alone.
 */
class ObservabilityTests {

	private static final Pattern SERIES = Pattern.compile("ratelimit_[a-z_]+");

	private static final Pattern METER = Pattern.compile("^\\| `(ratelimit\\.[a-z.]+)` \\| (counter|timer|gauge)",
			Pattern.MULTILINE);

	private static final Pattern OUTCOMES = Pattern.compile("outcome=~?\"([a-z_|]+)\"");

	private static final Path DOCS = Markdown.root().resolve("docs");

	private final String meters = Markdown.text(DOCS.resolve("metrics.md"));

	@ParameterizedTest
	@ValueSource(strings = { "dashboard.json", "alerts.yml", "alerts-test.yml" })
	void usesOnlyMetersAndOutcomesThatAreDocumented(String file) {
		String text = Markdown.text(DOCS.resolve("observability").resolve(file)).replace("\\\"", "\"");
		assertThat(found(SERIES, text, 0)).isNotEmpty().isSubsetOf(series());
		assertThat(found(OUTCOMES, text, 1).stream().flatMap((outcomes) -> Stream.of(outcomes.split("\\|", -1))))
			.isNotEmpty()
			.allSatisfy((outcome) -> assertThat(this.meters).contains("`" + outcome + "`"));
	}

	@Test
	void showsEveryPanelByAnExpression() {
		String dashboard = Markdown.text(DOCS.resolve("observability/dashboard.json"));
		List<String> titles = JsonPath.read(dashboard, "$.panels[*].title");
		List<String> expressions = JsonPath.read(dashboard, "$.panels[*].targets[0].expr");
		assertThat(titles).doesNotHaveDuplicates().hasSameSizeAs(expressions);
		assertThat(expressions).allMatch((expression) -> SERIES.matcher(expression).find());
	}

	/** Checks by the names of series and outcomes. */
	@ParameterizedTest
	@ValueSource(strings = { "policy) (rate(ratelimit_requests_total", "outcome) (rate(ratelimit_requests_total",
			"outcome=~\"denied|fallback_denied\"", "outcome=\"banned\"", "outcome=\"shadow_denied\"",
			"outcome=\"near_limit\"", "outcome=~\"failed_open|failed_closed|fallback_allowed|fallback_denied\"",
			"outcome=~\"blocked|banned|missing_key\"", "ratelimit_store_latency_seconds_sum",
			"ratelimit_store_failures_total", "ratelimit_breaker_state", "ratelimit_missing_keys_total",
			"ratelimit_waiting", "ratelimit_memory_keys", "histogram_quantile(0.99,", "ratelimit_leases_lost_total",
			"ratelimit_controls_restored_total", "ratelimit_store_unreadable_total", "ratelimit_memory_dropped_total",
			"ratelimit_memory_shared_total", "digest) (ratelimit_configuration{", "ratelimit_configuration_refused",
			"kind) (ratelimit_controls{", "ratelimit_controls_skipped" })
	void showsWhatOperatorsWatch(String expression) {
		List<String> expressions = JsonPath.read(Markdown.text(DOCS.resolve("observability/dashboard.json")),
				"$.panels[*].targets[*].expr");
		assertThat(expressions).anyMatch((shown) -> shown.contains(expression));
	}

	@Test
	void showsTheShareOfDeniedCalls() {
		List<String> expressions = JsonPath.read(Markdown.text(DOCS.resolve("observability/dashboard.json")),
				"$.panels[?(@.fieldConfig.defaults.unit == 'percentunit')].targets[0].expr");
		assertThat(expressions).singleElement()
			.asString()
			.contains("outcome=~\"denied|fallback_denied\"",
					"/ sum by (job, namespace, application, policy) (rate(ratelimit_requests_total{");
	}

	/** Checks that applications with policies of the same names stay apart. */
	@ParameterizedTest
	@ValueSource(strings = { "dashboard.json", "alerts.yml" })
	void groupsByApplication(String file) {
		assertThat(found(Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)"),
				Markdown.text(DOCS.resolve("observability").resolve(file)), 1))
			.isNotEmpty()
			.allMatch((labels) -> labels.startsWith("job, namespace, application"));
	}

	@Test
	void showsTheChosenJobsAndInstances() {
		List<String> expressions = JsonPath.read(Markdown.text(DOCS.resolve("observability/dashboard.json")),
				"$.panels[*].targets[*].expr");
		assertThat(expressions).allSatisfy((expression) -> assertThat(SERIES.matcher(expression).results().count())
			.isEqualTo(Pattern.compile(Pattern.quote("{job=~\"$job\", instance=~\"$instance\""))
				.matcher(expression)
				.results()
				.count()));
	}

	@Test
	void documentsEveryAlert() {
		String rules = Markdown.text(DOCS.resolve("observability/alerts.yml"));
		List<String> alerts = JsonPath.read(new Yaml().<Object>load(rules), "$.groups[*].rules[*].alert");
		assertThat(found(Pattern.compile("`(RateLimit[A-Za-z]+)` \\|"), this.meters, 1))
			.containsExactlyInAnyOrderElementsOf(alerts);
		assertThat(Markdown.text(DOCS.resolve("observability/alerts-test.yml"))).contains(alerts);
	}

	/** Returns the names that Prometheus gives to the documented meters. */
	private Set<String> series() {
		return METER.matcher(this.meters).results().flatMap(ObservabilityTests::series).collect(Collectors.toSet());
	}

	private static Stream<String> series(MatchResult meter) {
		String name = meter.group(1).replace('.', '_');
		return switch (meter.group(2)) {
			case "counter" -> Stream.of(name + "_total");
			case "timer" -> Stream.of(name + "_seconds_count", name + "_seconds_sum", name + "_seconds_max",
					name + "_seconds_bucket");
			default -> Stream.of(name);
		};
	}

	private static Set<String> found(Pattern pattern, String text, int group) {
		return pattern.matcher(text)
			.results()
			.map((found) -> found.group(group))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
