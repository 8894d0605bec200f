package io.github.ratelimit.gateway.autoconfigure;

import java.util.Map;

import io.github.ratelimit.gateway.PolicyArgument;
import io.github.ratelimit.gateway.RateLimitArguments;
import io.github.ratelimit.gateway.webflux.PolicyRateLimiter;
import io.github.ratelimit.gateway.webmvc.RateLimitFilterFunctions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.ImportRuntimeHints;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	private final ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();

	@BeforeEach
	void areThoseOfTheWiring() {
		assertThat(Map.of(RateLimitGatewayWebFluxAutoConfiguration.class, GatewayRuntimeHints.WebFlux.class,
				RateLimitGatewayWebMvcAutoConfiguration.class, GatewayRuntimeHints.WebMvc.class))
			.allSatisfy((wiring, registrar) -> assertThat(wiring.getAnnotation(ImportRuntimeHints.class).value())
				.containsExactly(registrar));
	}

	@Test
	void letTheGatewayOnWebFluxBindFilters() throws NoSuchMethodException {
		register(new GatewayRuntimeHints.WebFlux());
		assertThat(
				this.reflection.onMethodInvocation(PolicyRateLimiter.Config.class.getMethod("setPolicy", String.class)))
			.accepts(this.hints);
		assertThat(this.reflection.onConstructorInvocation(PolicyRateLimiter.Config.class.getConstructor()))
			.accepts(this.hints);
		bindsArguments();
	}

	@Test
	void letTheGatewayOnSpringMvcFindAndBindFilters() throws NoSuchMethodException {
		register(new GatewayRuntimeHints.WebMvc());
		assertThat(this.reflection
			.onMethodInvocation(RateLimitFilterFunctions.class.getMethod("rateLimit", RateLimitArguments.class)))
			.accepts(this.hints);
		bindsArguments();
	}

	private void register(RuntimeHintsRegistrar registrar) {
		registrar.registerHints(this.hints, getClass().getClassLoader());
	}

	private void bindsArguments() throws NoSuchMethodException {
		assertThat(this.reflection.onConstructorInvocation(RateLimitArguments.class
			.getDeclaredConstructor(PolicyArgument.class, Long.class, String.class, String.class, String.class)))
			.accepts(this.hints);
		assertThat(this.reflection.onConstructorInvocation(PolicyArgument.class.getConstructor(String.class)))
			.accepts(this.hints);
		assertThat(this.reflection.onConstructorInvocation(PolicyArgument.class.getConstructor())).accepts(this.hints);
	}

}
