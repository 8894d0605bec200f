package io.github.ratelimit.gateway.autoconfigure;

import io.github.ratelimit.gateway.PolicyArgument;
import io.github.ratelimit.gateway.RateLimitArguments;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * The runtime hints by which gateways find and bind filters of routes in a native image.
 */
final class GatewayRuntimeHints {

	private GatewayRuntimeHints() {
	}

	/** Registers the arguments of the filter {@code RateLimit}. */
	private static void arguments(RuntimeHints hints) {
		BindableRuntimeHintsRegistrar.forTypes(RateLimitArguments.class).registerHints(hints);
		hints.reflection().registerType(PolicyArgument.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
	}

	/** The hints of a gateway on WebFlux. */
	static final class WebFlux implements RuntimeHintsRegistrar {

		private static final String DROP_IN = "io.github.ratelimit.gateway.webflux.PolicyRateLimiter$Config";

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			arguments(hints);
			hints.reflection()
				.registerTypeIfPresent(classLoader, DROP_IN, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
						MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

	/** The hints of a gateway on Spring MVC. */
	static final class WebMvc implements RuntimeHintsRegistrar {

		private static final String FILTERS = "io.github.ratelimit.gateway.webmvc.RateLimitFilterFunctions";

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			arguments(hints);
			hints.reflection().registerTypeIfPresent(classLoader, FILTERS, MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

}
