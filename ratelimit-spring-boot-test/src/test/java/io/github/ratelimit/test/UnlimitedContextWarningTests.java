package io.github.ratelimit.test;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import io.github.ratelimit.test.app.ReportService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.Events;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class UnlimitedContextWarningTests {

	private static final String WARNING = "Rate limits do not apply in ";

	@ParameterizedTest
	@ValueSource(classes = { Mvc.class, Flux.class, Service.class, Rules.class })
	void warnsOnceThatLimitsAreMissing(Class<?> test, CapturedOutput output) {
		run(test, test);
		assertThat(output.getAll().lines().filter((line) -> line.contains(WARNING))).singleElement()
			.asString()
			.contains("WARN", WARNING + test.getName(), "add @AutoConfigureRateLimits");
	}

	@ParameterizedTest
	@ValueSource(classes = { Unlimited.class, Disabled.class, Whole.class, Mocked.class, With.class, Without.class })
	void isSilentIfNothingIsMissing(Class<?> test, CapturedOutput output) {
		run(test);
		assertThat(output.getAll()).doesNotContain(WARNING);
	}

	@Test
	void refusesAMethodWithoutLimitsThatItNeverHad() {
		events(Misplaced.class).assertThatEvents()
			.haveExactly(1,
					EventConditions.finishedWithFailure(
							TestExecutionResultConditions.instanceOf(IllegalStateException.class),
							TestExecutionResultConditions
								.message((message) -> message.contains("@WithoutRateLimits has no effect")
										&& message.contains("add @AutoConfigureRateLimits to its class"))));
	}

	private static void run(Class<?>... tests) {
		for (Class<?> test : tests) {
			events(test).assertStatistics((statistics) -> statistics.succeeded(1));
		}
	}

	private static Events events(Class<?> test) {
		return EngineTestKit.engine("junit-jupiter")
			.selectors(DiscoverySelectors.selectClass(test))
			.execute()
			.testEvents();
	}

	abstract static class Empty {

		@Test
		void passes() {
		}

	}

	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	static class Mvc extends Empty {

	}

	@WebFluxTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	static class Flux extends Empty {

	}

	@SpringJUnitConfig(ReportService.class)
	static class Service extends Empty {

	}

	@WebMvcTest(Free.class)
	@ContextConfiguration(classes = Free.class)
	static class Rules extends Empty {

	}

	@WebMvcTest(Free.class)
	@ContextConfiguration(classes = Free.class)
	@TestPropertySource(properties = "spring.config.location=optional:file:none/")
	static class Unlimited extends Empty {

	}

	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@TestPropertySource(properties = "ratelimit.enabled=false")
	static class Disabled extends Empty {

	}

	@SpringBootTest(classes = QuoteApplication.class, properties = "ratelimit.store=memory")
	static class Whole extends Empty {

	}

	@SpringJUnitConfig
	static class Mocked extends Empty {

		@MockitoBean
		ReportService reports;

	}

	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@AutoConfigureRateLimits
	static class With extends Empty {

	}

	@WebFluxTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@WithoutRateLimits
	static class Without extends Empty {

	}

	@SpringJUnitConfig
	static class Misplaced {

		@Test
		@WithoutRateLimits
		void isNotLimitedAnyway() {
		}

	}

	/** An endpoint that only rules limit. */
	@RestController
	static class Free {

		@GetMapping("/search")
		String search() {
			return RateLimited.class.getName();
		}

	}

}
