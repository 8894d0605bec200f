package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;

/**
 * The meters of what operators configure and control.
 * <ul>
 * <li>{@code ratelimit.configuration} is 1 and has the {@code digest} of the
 * configuration in effect as its tag; {@code ratelimit.configuration.age} is the age of
 * that one, {@code ratelimit.configuration.refused} whether the last reload has a
 * problem, and {@code ratelimit.configuration.pending} the number of changed properties
 * that take effect after a restart.
 * <li>{@code ratelimit.findings} is the number of findings.
 * <li>{@code ratelimit.controls} is the number of controls in effect by {@code kind},
 * {@code ratelimit.controls.skipped} of those that this instance cannot apply.
 * {@code ratelimit.controls.restored} counts the controls that this instance has written
 * back, as their store had lost them.
 * </ul>
 */
public final class OperatorMeters {

	private final MultiGauge configuration;

	OperatorMeters(MeterRegistry registry, LastReload last, Findings findings, Controls controls) {
		this.configuration = MultiGauge.builder("ratelimit.configuration")
			.description("The configuration in effect, by its digest")
			.register(registry);
		show(last.inEffect().digest());
		register(registry, last);
		Gauge.builder("ratelimit.findings", findings, (found) -> found.all().size())
			.description("Likely mistakes in the use of rate limits")
			.register(registry);
		register(registry, controls);
	}

	/**
	 * Shows the configuration in effect, instead of the one before.
	 * @param digest its digest
	 */
	public void show(String digest) {
		this.configuration.register(List.of(Row.of(Tags.of("digest", digest), 1)));
	}

	private static void register(MeterRegistry registry, LastReload last) {
		TimeGauge
			.builder("ratelimit.configuration.age", last, TimeUnit.MILLISECONDS, (reload) -> reload.age().toMillis())
			.description("Time for which the configuration has been in effect")
			.register(registry);
		Gauge.builder("ratelimit.configuration.refused", last, OperatorMeters::refused)
			.description("Whether the last reload was refused: 0 no, 1 yes")
			.register(registry);
		Gauge.builder("ratelimit.configuration.pending", last, OperatorMeters::pending)
			.description("Changed properties that take effect after a restart")
			.register(registry);
	}

	private static int refused(LastReload last) {
		Reload reload = last.get();
		return (reload != null && reload.problem() != null) ? 1 : 0;
	}

	private static int pending(LastReload last) {
		Reload reload = last.get();
		return (reload != null) ? reload.needRestart().size() : 0;
	}

	private static void register(MeterRegistry registry, Controls controls) {
		FunctionCounter.builder("ratelimit.controls.restored", controls, Controls::restored)
			.description("Controls that the store had lost and that were written back")
			.register(registry);
		Gauge.builder("ratelimit.controls.skipped", controls, Controls::countSkipped)
			.description("Controls in the store that this instance cannot apply")
			.register(registry);
		Stream.of(Ban.class, Block.class, Change.class, Grant.class, Limits.class, Pause.class)
			.map(Control::kind)
			.forEach((kind) -> Gauge.builder("ratelimit.controls", controls, (known) -> known.count(kind))
				.description("Controls in effect")
				.tag("kind", kind)
				.register(registry));
	}

}
