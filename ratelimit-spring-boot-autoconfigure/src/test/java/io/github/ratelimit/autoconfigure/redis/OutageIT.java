package io.github.ratelimit.autoconfigure.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.redis.OutageTrial.Seen;
import io.github.ratelimit.spring.metrics.Promtool;
import io.github.ratelimit.spring.metrics.Scrapes;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the traces of an outage of three seconds: its kind is in the log, in health
 * and in the meters, from whose samples the alerts fire. Each outage runs once for all
 * tests.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageIT {

	private static final Pattern SERIES = Pattern.compile("ratelimit_[a-z_]+");

	/** The place of the sample of an outage, after those of the minute before. */
	private static final int OUTAGE = 4;

	private final Map<Outage, Seen> seen = new EnumMap<>(Outage.class);

	@Test
	void hasAnOutageOfEveryKindOfFailure() {
		Set<Kind> kinds = Stream.of(Outage.values()).map(Outage::kind).collect(Collectors.toSet());
		assertThat(EnumSet.complementOf(EnumSet.copyOf(kinds))).containsExactly(Kind.OPEN, Kind.OTHER);
	}

	@ParameterizedTest
	@EnumSource
	void isInTheLogByItsKind(Outage outage, CapturedOutput output) throws IOException {
		assertThat(seen(outage, output).log())
			.containsPattern(
					"does not decide on rate limits: " + outage.kind().id() + "( \\([A-Z]+ .+\\))?\\. Until it does, ")
			.contains("Further failures are counted, not logged");
	}

	@ParameterizedTest
	@EnumSource
	void isInHealthByItsKind(Outage outage, CapturedOutput output) throws IOException {
		Seen seen = seen(outage, output);
		assertThat(lastKind(seen.during())).isEqualTo(outage.kind().id());
		assertThat(lastKind(seen.after())).isEqualTo(outage.kind().id());
		assertThat(seen.after()).containsEntry("state", "ok");
	}

	@ParameterizedTest
	@EnumSource
	void isInCountersThatWereThereBefore(Outage outage, CapturedOutput output) throws IOException {
		Scrapes scrapes = seen(outage, output).scrapes();
		assertThat(increase(scrapes, "ratelimit_requests_total{outcome=\"failed_open\",policy=\"quotes\"}"))
			.isGreaterThanOrEqualTo(5);
		assertThat(failures(scrapes, outage.kind())).isPositive();
		assertThat(Stream.of(outage.kind(), outage.first())
			.distinct()
			.mapToDouble((kind) -> failures(scrapes, kind))
			.sum()).isGreaterThanOrEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	@Tag("promtool")
	void firesItsAlertsAndNoOthers(Outage outage, CapturedOutput output, @TempDir Path folder)
			throws IOException, InterruptedException {
		Path test = Files.writeString(folder.resolve("outage.yml"), """
				rule_files: ['%1$s']
				evaluation_interval: 15s
				tests:
				  - interval: 15s
				    input_series:
				%3$s
				    promql_expr_test:
				      - { expr: '%2$s', eval_time: 3m, exp_samples: [] }
				      - expr: '%2$s'
				        eval_time: 4m
				        exp_samples:
				          - labels: 'ALERTS{alertname="RateLimitFailsOpen", alertstate="firing", policy="quotes",
				              severity="critical"}'
				            value: 1
				          - labels: 'ALERTS{alertname="RateLimitStoreFails", alertstate="firing", kind="%4$s",
				              severity="warning", store="redis"}'
				            value: 1
				      - { expr: '%2$s', eval_time: 6m, exp_samples: [] }
				""".formatted(rules(), firing(outage), seen(outage, output).scrapes().input(), outage.kind().id()));
		assertThat(Promtool.run("test", "rules", test.toString())).contains("SUCCESS");
	}

	/**
	 * Returns the alerts, without that of first failures of another kind, which may be
	 * too few for one.
	 */
	private static String firing(Outage outage) {
		return "ALERTS{alertstate=\"firing\""
				+ ((outage.first() != outage.kind()) ? ",kind!=\"" + outage.first().id() + "\"}" : "}");
	}

	private static double failures(Scrapes scrapes, Kind kind) {
		return increase(scrapes, "ratelimit_store_failures_total{kind=\"" + kind.id() + "\",store=\"redis\"}");
	}

	private static double increase(Scrapes scrapes, String series) {
		List<String> samples = scrapes.of(series);
		assertThat(samples).as(series).isNotEmpty().doesNotContain(Scrapes.MISSING);
		return Double.parseDouble(samples.get(OUTAGE)) - Double.parseDouble(samples.get(OUTAGE - 1));
	}

	private static Object lastKind(Map<String, Object> details) {
		Map<?, ?> failure = (Map<?, ?>) Objects.requireNonNull(details.get("lastFailure"));
		return Objects.requireNonNull(failure.get("kind"));
	}

	private Seen seen(Outage outage, CapturedOutput output) throws IOException {
		Seen before = this.seen.get(outage);
		if (before != null) {
			return before;
		}
		Set<String> series = SERIES.matcher(Files.readString(rules()))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toSet());
		Seen seen = OutageTrial.run(outage, series, output);
		this.seen.put(outage, seen);
		return seen;
	}

	private static Path rules() {
		return Promtool.RULES.resolve("alerts.yml");
	}

}
