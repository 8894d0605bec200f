package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;

/**
 * The meters of the configuration: {@code ratelimit.configuration}, which is 1 and has
 * the {@code digest} of the one in effect as its tag; its age in
 * {@code ratelimit.configuration.age}; whether the last reload has a problem, in
 * {@code ratelimit.configuration.refused}; the number of changed properties that take
 * effect after a restart, in {@code ratelimit.configuration.pending}; and
 * {@code ratelimit.findings}.
 */
public final class ConfigurationMetrics {

	private final MultiGauge configuration;

	/**
	 * Registers the meters.
	 * @param registry the registry
	 * @param last the configuration in effect, and its last reload
	 * @param findings the findings
	 */
	public ConfigurationMetrics(MeterRegistry registry, LastReload last, Findings findings) {
		this.configuration = MultiGauge.builder("ratelimit.configuration")
			.description("The configuration in effect, by its digest")
			.register(registry);
		show(last.inEffect().digest());
		TimeGauge
			.builder("ratelimit.configuration.age", last, TimeUnit.MILLISECONDS, (reload) -> reload.age().toMillis())
			.description("Time for which the configuration has been in effect")
			.register(registry);
		Gauge.builder("ratelimit.configuration.refused", last, ConfigurationMetrics::refused)
			.description("Whether the last reload was refused: 0 no, 1 yes")
			.register(registry);
		Gauge.builder("ratelimit.configuration.pending", last, ConfigurationMetrics::pending)
			.description("Changed properties that take effect after a restart")
			.register(registry);
		Gauge.builder("ratelimit.findings", findings, (found) -> found.all().size())
			.description("Likely mistakes in the use of rate limits")
			.register(registry);
	}

	/**
	 * Shows the configuration in effect, instead of the one before.
	 * @param digest its digest
	 */
	public void show(String digest) {
		this.configuration.register(List.of(Row.of(Tags.of("digest", digest), 1)));
	}

	private static int refused(LastReload last) {
		Reload reload = last.get();
		return (reload != null && reload.problem() != null) ? 1 : 0;
	}

	private static int pending(LastReload last) {
		Reload reload = last.get();
		return (reload != null) ? reload.needRestart().size() : 0;
	}

}
