package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Controls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of controls. {@code ratelimit.controls} is the number of those in effect by
 * {@code kind}, {@code ratelimit.controls.skipped} of those that this instance cannot
 * apply. {@code ratelimit.controls.restored} counts the controls that this instance has
 * written back, as their store had lost them.
 */
final class ControlMeters {

	ControlMeters(MeterRegistry registry, Controls controls) {
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
