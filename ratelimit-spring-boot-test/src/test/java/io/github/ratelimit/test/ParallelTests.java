package io.github.ratelimit.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs classes with limits as a user does: in parallel and in random order.
 */
@Tag("long")
class ParallelTests {

	private static final Logger LOGGER = LoggerFactory.getLogger(ParallelTests.class);

	private static final long SECOND = 1000;

	private static final String LOCALHOST = "client-ip:127.0.0.1";

	/** Counts the quickest of up to ten runs, as the machine may be busy. */
	@Test
	void runsTenTestsInASecondInAnyOrder() {
		run(OneTest.class);
		List<Long> millis = new ArrayList<>();
		for (int run = 0; run < 10 && (run == 0 || Collections.min(millis) >= SECOND); run++) {
			long start = System.nanoTime();
			run(TenTests.class).assertStatistics((tests) -> tests.succeeded(10));
			millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
		}
		LOGGER.info("Ten tests with limits took {} ms beyond their context", millis);
		assertThat(Collections.min(millis)).isLessThan(SECOND);
	}

	@Test
	void letsTestsOfOneContextTakeTurns() {
		run(Busy.class, AlsoBusy.class).assertStatistics((tests) -> tests.succeeded(40).failed(0));
		assertThat(Shared.MOST.get()).isOne();
	}

	@Test
	void letsTestsOfDifferentContextsRunAtOnce() {
		run(OneOfTwo.class, OtherOfTwo.class).assertStatistics((tests) -> tests.succeeded(2));
	}

	private static Events run(Class<?>... classes) {
		return EngineTestKit.engine("junit-jupiter")
			.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
			.configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
			.configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
			.configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
			.configurationParameter("junit.jupiter.testmethod.order.default",
					"org.junit.jupiter.api.MethodOrderer$Random")
			.configurationParameter("junit.jupiter.execution.order.random.seed", Long.toString(System.nanoTime()))
			.selectors(Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
			.execute()
			.testEvents();
	}

	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@AutoConfigureRateLimits
	abstract static class Shared {

		private static final AtomicInteger RUNNING = new AtomicInteger();

		private static final AtomicInteger MOST = new AtomicInteger();

		@Autowired
		MockMvcTester mvc;

		@Autowired
		TestRateLimits limits;

		void spendAll() {
			MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
			for (int call = 0; call < 10; call++) {
				assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
			}
			assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().by("quotes").retryAfter("6s");
			RUNNING.decrementAndGet();
		}

	}

	static class OneTest extends Shared {

		@Test
		void isLimited() {
			spendAll();
		}

	}

	static class TenTests extends Shared {

		@RepeatedTest(5)
		void deniesTheEleventhCall() {
			spendAll();
		}

		@Test
		void admitsAgainAfterAWhile() {
			this.limits.exhaust("quotes", LOCALHOST);
			this.limits.advance("6s");
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
			assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited();
		}

		@Test
		void admitsAllAfterAPeriod() {
			this.limits.exhaust("quotes", LOCALHOST);
			this.limits.advance("1m");
			spendAll();
		}

		@Test
		void limitsSearches() {
			this.limits.exhaust("search", LOCALHOST);
			assertThatCall(this.mvc.get().uri("/search")).isRateLimited().by("search");
		}

		@Test
		void limitsTenants() {
			this.limits.exhaust("tenants", "header:x-tenant:acme");
			assertThatCall(this.mvc.get().uri("/tenant").header("X-Tenant", "acme")).isRateLimited().by("tenants");
			assertThat(this.mvc.get().uri("/tenant").header("X-Tenant", "initech")).hasStatusOk();
		}

		@Test
		@WithoutRateLimits
		void isNotLimitedOnRequest() {
			for (int call = 0; call < 20; call++) {
				assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
			}
		}

	}

	static class Busy extends Shared {

		@RepeatedTest(20)
		void spends() {
			spendAll();
		}

	}

	static class AlsoBusy extends Shared {

		@RepeatedTest(20)
		void spends() {
			spendAll();
		}

	}

	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@AutoConfigureRateLimits
	abstract static class Meeting {

		private static final CyclicBarrier BOTH = new CyclicBarrier(2);

		@Autowired
		MockMvcTester mvc;

		@Autowired
		TestRateLimits limits;

		@Test
		void meetsTheOther() throws InterruptedException, BrokenBarrierException, TimeoutException {
			this.limits.exhaust("quotes", LOCALHOST);
			BOTH.await(20, TimeUnit.SECONDS);
			assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited();
		}

	}

	static class OneOfTwo extends Meeting {

	}

	@TestPropertySource(properties = "another.context=true")
	static class OtherOfTwo extends Meeting {

	}

}
