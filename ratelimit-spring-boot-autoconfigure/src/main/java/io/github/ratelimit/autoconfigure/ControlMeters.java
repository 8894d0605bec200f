package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.spring.control.Controls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of controls. {@code ratelimit.controls.restored} counts the controls that
 * this instance has written back, as their store had lost them.
 */
final class ControlMeters {

	ControlMeters(MeterRegistry registry, Controls controls) {
		FunctionCounter.builder("ratelimit.controls.restored", controls, Controls::restored)
			.description("Controls that the store had lost and that were written back")
			.register(registry);
	}

}
