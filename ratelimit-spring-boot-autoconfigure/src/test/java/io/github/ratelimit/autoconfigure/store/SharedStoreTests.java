package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.autoconfigure.store.SharedStore.Evidence;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.actuate.Diagnostics;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Revision;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The choice among stores that modules bring, beside Redis, which is on the class path.
 */
@ExtendWith(OutputCaptureExtension.class)
class SharedStoreTests {

	private static final Evidence FOUND = Evidence.found("there is a table");

	private static final Evidence MISSING = Evidence.missing("there is no table (to share counts, create one)");

	private final RowStores rows = new RowStores("rows", FOUND);

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
				"ratelimit.policies.quotes.limits=5/1m");

	@ParameterizedTest
	@ValueSource(strings = { "rows", "ROWS" })
	void isChosenByItsNameWithoutEvidence(String name, CapturedOutput output) {
		RowStores unproven = new RowStores("rows", MISSING);
		with(unproven).withPropertyValues("ratelimit.store=" + name)
			.run((context) -> countsIn(context, unproven, "'ratelimit.store' is set"));
		assertThat(output).contains("Rate limits are counted in rows, as 'ratelimit.store' is set");
	}

	@Test
	void isChosenIfItIsTheOnlyOneWithEvidence() {
		with(this.rows).withBean("other", SharedStore.class, () -> new RowStores("other", MISSING))
			.run((context) -> countsIn(context, this.rows, "there is a table"));
	}

	@Test
	void isNotChosenNextToMemoryThatIsConfigured() {
		with(this.rows).withPropertyValues("ratelimit.store=memory").run(SharedStoreTests::countsInMemory);
		assertThat(this.rows.steps).isEmpty();
	}

	@Test
	void isNotChosenWithoutEvidence() {
		with(new RowStores("rows", MISSING)).run((context) -> {
			countsInMemory(context);
			assertThat(context.getBean(StoreChoice.class).reason()).contains("there is no RedisConnectionFactory bean")
				.contains("there is no table (to share counts, create one)")
				.contains(", and ");
		});
	}

	@Test
	void stopsTheStartIfSeveralHaveEvidence() {
		InvalidRateLimitConfigurationException failure = failure(
				with(this.rows).withBean("other", SharedStore.class, () -> new RowStores("other", FOUND)));
		assertThat(failure)
			.hasMessage("There are several stores to count in: 'rows', as there is a table, and 'other', as there is a "
					+ "table");
		assertThat(failure.getAction()).isEqualTo("Set 'ratelimit.store' to the one for rate limits, or to 'memory'.");
		assertThat(this.rows.steps).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void stopsTheStartIfThereIsNoneOfTheName(boolean ownStore) {
		ApplicationContextRunner wrong = with(this.rows).withPropertyValues("ratelimit.store=rosw");
		InvalidRateLimitConfigurationException failure = failure(
				ownStore ? wrong.withBean(RateLimitStore.class, TestStore::new) : wrong);
		assertThat(failure).hasMessageStartingWith(
				"The property 'ratelimit.store' has the value 'rosw', but there is no such store; there is memory, ")
			.hasMessageContaining("redis")
			.hasMessageContaining("rows");
		assertThat(failure.getAction()).startsWith("Correct the property 'ratelimit.store', or add the library");
	}

	@Test
	void stopsTheStartIfItCannotBeReached() {
		assertThat(
				failure(with(new RowStores("unreachable", MISSING)).withPropertyValues("ratelimit.store=unreachable")))
			.hasMessage("There is no DataSource bean");
	}

	@Test
	void isStartedWithThePoliciesAndClosedAtTheEnd() {
		with(this.rows).run((context) -> assertThat(this.rows.steps).containsExactly("create", "start [quotes]"));
		assertThat(this.rows.steps).containsExactly("create", "start [quotes]", "close");
	}

	@Test
	void keepsControlsNextToAStoreOfTheApplicationIfConfigured() {
		with(this.rows).withBean(RateLimitStore.class, TestStore::new)
			.withPropertyValues("ratelimit.store=rows")
			.run((context) -> {
				assertThat(context.getBean(ControlStore.class)).isSameAs(this.rows.controls);
				assertThat(context.getBean(Findings.class).all()).extracting(Finding::kind)
					.doesNotContain(Kind.UNSHARED_CONTROLS);
			});
	}

	@Test
	@Timeout(30)
	void boundsHowLongTheStartWaitsForItsControls() {
		this.rows.connectTimeout = Duration.ofMillis(1);
		with(this.rows).withPropertyValues("ratelimit.redis.connect-timeout=1m")
			.withBean(ControlStore.class, HangingControls::new)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void findsAStoreOfTheApplicationWithoutAStoreOfControls() {
		this.application.withBean(RateLimitStore.class, TestStore::new)
			.run((context) -> assertThat(context.getBean(Findings.class).all())
				.filteredOn((finding) -> finding.kind() == Kind.UNSHARED_CONTROLS)
				.singleElement()
				.extracting(Finding::message)
				.asString()
				.startsWith("Instances may share the store 'test' of the application, but not controls such as bans"));
	}

	@Test
	void findsNothingIfControlsAreSharedTooOrNothingIs() {
		ApplicationContextRunner own = this.application.withBean(RateLimitStore.class, TestStore::new);
		assertThatNothingIsFound(own.withPropertyValues("ratelimit.store=memory"));
		assertThatNothingIsFound(own.withBean(ControlStore.class, () -> this.rows.controls));
		assertThatNothingIsFound(this.application.withBean(RateLimitStore.class, () -> new MemoryRateLimitStore(100)));
		assertThatNothingIsFound(with(this.rows));
	}

	private static void assertThatNothingIsFound(ApplicationContextRunner application) {
		application.run((context) -> assertThat(context.getBean(Findings.class).all()).extracting(Finding::kind)
			.doesNotContain(Kind.UNSHARED_CONTROLS));
	}

	private ApplicationContextRunner with(RowStores stores) {
		return this.application.withBean("rows", SharedStore.class, () -> stores);
	}

	private static InvalidRateLimitConfigurationException failure(ApplicationContextRunner application) {
		InvalidRateLimitConfigurationException[] failure = new InvalidRateLimitConfigurationException[1];
		application.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(InvalidRateLimitConfigurationException.class, (found) -> failure[0] = found));
		return Objects.requireNonNull(failure[0]);
	}

	private static void countsIn(AssertableApplicationContext context, RowStores stores, String reason) {
		assertThat(context.getBean(RateLimitStore.class)).isSameAs(stores.counts);
		assertThat(context.getBean(ControlStore.class)).isSameAs(stores.controls);
		assertThat(context.getBean(StoreChoice.class).reason()).isEqualTo(reason);
		assertThat(context.getBean(Diagnostics.class).connection()).isEqualTo("dataSource");
	}

	private static void countsInMemory(AssertableApplicationContext context) {
		assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(MemoryRateLimitStore.class);
	}

	/** Controls that cannot be read until they are closed. */
	private static final class HangingControls implements ControlStore {

		private final CountDownLatch closed = new CountDownLatch(1);

		@Override
		public Changes since(Revision known, boolean all) {
			try {
				this.closed.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			throw new RateLimitStoreException("closed", null);
		}

		@Override
		public Set<String> put(Map<String, Text> controls) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void remove(String id) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
			return Restored.NOTHING;
		}

		@Override
		public void close() {
			this.closed.countDown();
		}

	}

}
