package io.github.ratelimit.autoconfigure;

import java.util.Locale;

import io.github.ratelimit.spring.override.OverrideCache;
import io.github.ratelimit.spring.override.OverrideFailure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of the limits of single callers. {@code ratelimit.overrides.failures} counts
 * failed lookups by {@code kind}, a {@link OverrideFailure}, and by the {@code limits}
 * that apply instead: {@code known} or {@code plan}.
 */
final class OverrideMeters {

	OverrideMeters(MeterRegistry registry, OverrideCache cache) {
		for (OverrideFailure kind : OverrideFailure.values()) {
			register(registry, cache, kind, true);
			register(registry, cache, kind, false);
		}
	}

	private static void register(MeterRegistry registry, OverrideCache cache, OverrideFailure kind, boolean isKnown) {
		FunctionCounter.builder("ratelimit.overrides.failures", cache, (overrides) -> overrides.failures(kind, isKnown))
			.description("Lookups of single callers' limits that failed")
			.tag("kind", kind.name().toLowerCase(Locale.ROOT))
			.tag("limits", isKnown ? "known" : "plan")
			.register(registry);
	}

}
