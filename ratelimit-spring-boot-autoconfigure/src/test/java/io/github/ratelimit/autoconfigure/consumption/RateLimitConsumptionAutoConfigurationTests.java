package io.github.ratelimit.autoconfigure.consumption;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.consumption.ConsumptionDelivery;
import io.github.ratelimit.spring.consumption.ConsumptionListener;
import io.github.ratelimit.spring.consumption.ConsumptionRecord;
import io.github.ratelimit.spring.consumption.ConsumptionSink;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitConsumptionAutoConfigurationTests {

	private static final Charge CHARGE = new Charge("api", "principal:ada", 3);

	private final List<ConsumptionRecord> received = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.api.limits=10/1m");

	private final ApplicationContextRunner withSink = this.context.withBean("one", ConsumptionSink.class,
			() -> this.received::addAll);

	@Test
	void countsNothingWithoutASink() {
		this.context.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(ConsumptionListener.class)
			.doesNotHaveBean(ConsumptionDelivery.class)
			.doesNotHaveBean("io.github.ratelimit.consumptionTask"));
	}

	@Test
	void countsNothingIfItIsTurnedOff() {
		this.withSink.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsumptionListener.class));
	}

	@Test
	void deliversWhatWasSpentBeforeTheApplicationStops() {
		this.withSink.run((context) -> {
			assertThat(context).hasSingleBean(ConsumptionListener.class)
				.getBean("io.github.ratelimit.consumptionTask", BackgroundTask.class)
				.extracting(BackgroundTask::isRunning)
				.isEqualTo(true);
			context.getBean(RateLimiter.class).acquire(CHARGE);
			assertThat(this.received).isEmpty();
		});
		assertThat(this.received).singleElement().satisfies((record) -> {
			assertThat(record.policy()).isEqualTo("api");
			assertThat(record.key()).isEqualTo(KeyDigest.inPlaceOf("principal:ada"));
			assertThat(record.permits()).isEqualTo(3);
			assertThat(record.calls()).isOne();
		});
	}

	@Test
	void showsKeysIfConfigured() {
		this.withSink.withPropertyValues("ratelimit.consumption.show-keys=true")
			.run((context) -> context.getBean(RateLimiter.class).acquire(CHARGE));
		assertThat(this.received).extracting(ConsumptionRecord::key).containsExactly("principal:ada");
	}

	@Test
	void countsWhatWaitsAndWhatIsLost() {
		this.context.withBean(ConsumptionSink.class, () -> (records) -> {
			throw new IllegalStateException("away");
		})
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("ratelimit.consumption.max-pending=1")
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				context.getBean(RateLimiter.class).acquire(CHARGE);
				context.getBean(RateLimiter.class).acquire(new Charge("api", "principal:bob", 1));
				assertThat(meters.get("ratelimit.consumption.pending").gauge().value()).isZero();
				context.getBean(ConsumptionListener.class).deliverAll();
				assertThat(meters.get("ratelimit.consumption.pending").gauge().value()).isOne();
				assertThat(meters.get("ratelimit.consumption.lost").functionCounter().count()).isOne();
			});
	}

	@Test
	void refusesSeveralSinks() {
		this.withSink.withBean("other", ConsumptionSink.class, () -> this.received::addAll)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(NoUniqueBeanDefinitionException.class));
	}

	@ParameterizedTest
	@CsvSource({ "interval, 30s", "interval, 90s", "interval, 7m", "interval, 0s", "interval, -1m", "interval, 2d",
			"max-keys, 0", "max-pending, 0" })
	void refusesAnInvalidProperty(String name, String value) {
		String property = "ratelimit.consumption." + name;
		this.withSink.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(IllegalArgumentException.class)
				.rootCause()
				.hasMessageMatching("it is (whole minutes, of which a day has a whole number, .*|at least 1)"));
		this.withSink.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.extracting(RateLimitConsumptionAutoConfigurationTests::invalid)
				.asString()
				.contains("'" + property + "'"));
	}

	@ParameterizedTest
	@CsvSource({ "1m", "15m", "1h", "1d" })
	void takesPartsOfADay(String interval) {
		this.withSink.withPropertyValues("ratelimit.consumption.interval=" + interval)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static String invalid(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof InvalidRateLimitConfigurationException)) {
			cause = cause.getCause();
		}
		return String.valueOf(cause);
	}

}
