package io.github.ratelimit.spring.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the registry for Prometheus, which takes exemplars from the current span. In
 * Micrometer before 1.17, all its meters of one name need the same tag keys.
 */
class PrometheusTests {

	private static final String OPEN_METRICS = "application/openmetrics-text";

	private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

	private static final List<Charge> CHARGES = List.of(Charge.of("one", "alice"));

	private static final Decision DENIED = Decision.of(0,
			List.of(new LimitDecision("one", "alice", Limit.parse("1/1h", Algorithm.TOKEN_BUCKET), 0, 1, 1, 0)));

	private final ObservationRegistry observations = ObservationRegistry.create();

	private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT,
			new PrometheusRegistry(), Clock.SYSTEM, new CurrentSpan(this.observations));

	private final List<String> failures = new ArrayList<>();

	private final MemoryRateLimitStore memory = new MemoryRateLimitStore(100);

	PrometheusTests() {
		this.meters.config().onMeterRegistrationFailed((id, reason) -> this.failures.add(id + ": " + reason));
		this.observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
	}

	@Test
	void countsRequestsWithAndWithoutADecisionInOneSeries() {
		RateLimitListener listener = new RateLimitObservations(this.observations);
		request(() -> {
		});
		request(() -> listener.forCall(CHARGES).decided(CHARGES, Decision.UNLIMITED, 1));
		request(() -> listener.forCall(CHARGES).decided(CHARGES, DENIED, 1));
		assertThat(this.failures).isEmpty();
		assertThat(this.meters.get("http.server.requests").timers()).singleElement()
			.satisfies((timer) -> assertThat(timer.count()).isEqualTo(3));
		assertThat(series("http_server_requests_seconds_count"))
			.isEqualTo("http_server_requests_seconds_count{error=\"none\",method=\"GET\"} 3");
	}

	@Test
	void takesExemplarsOnTheCallingThread() {
		withBuckets();
		RateLimitMetrics metrics = metrics();
		request(() -> metrics.forCall(CHARGES).decided(CHARGES, DENIED, 3_000_000));
		assertThat(series("ratelimit_store_latency_seconds_bucket")).contains(TRACE);
		assertThat(series("ratelimit_requests_total")).contains(TRACE);
	}

	@Test
	void takesExemplarsOfTheCallOnAThreadOfTheStore() {
		withBuckets();
		RateLimitMetrics metrics = metrics();
		request(() -> {
			RateLimitListener forCall = metrics.forCall(CHARGES);
			CompletableFuture.runAsync(() -> {
				forCall.decided(CHARGES, DENIED, 3_000_000);
				assertThat(this.observations.getCurrentObservation()).isNull();
			}).join();
		});
		assertThat(series("ratelimit_store_latency_seconds_bucket")).contains(TRACE);
		assertThat(series("ratelimit_requests_total")).contains(TRACE);
	}

	@Test
	void takesExemplarsOfFailures() {
		withBuckets();
		RateLimitMetrics metrics = metrics();
		request(() -> {
			RateLimitListener forCall = metrics.forCall(CHARGES);
			CompletableFuture
				.runAsync(() -> forCall.failed(CHARGES, new RateLimitStoreException("down", null), null, 1))
				.join();
		});
		assertThat(series("ratelimit_store_failures_total")).contains(TRACE);
	}

	@Test
	void showsNoExemplarsOfATimerWithoutBuckets() {
		RateLimitMetrics metrics = metrics();
		request(() -> metrics.forCall(CHARGES).decided(CHARGES, DENIED, 3_000_000));
		assertThat(series("ratelimit_store_latency_seconds_bucket")).isEmpty();
	}

	private RateLimitMetrics metrics() {
		return new RateLimitMetrics(this.meters, new TestStore(), this.memory, new ObservationScopes(this.observations),
				Thresholds.NONE);
	}

	/**
	 * Has the effect of {@code management.metrics.distribution.percentiles-histogram}.
	 */
	private void withBuckets() {
		this.meters.config().meterFilter(new MeterFilter() {

			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return id.getName().equals("ratelimit.store.latency")
						? DistributionStatisticConfig.builder().percentilesHistogram(true).build().merge(config)
						: config;
			}

		});
	}

	private void request(Runnable call) {
		Observation.createNotStarted("http.server.requests", this.observations)
			.lowCardinalityKeyValue("method", "GET")
			.observe(call);
	}

	private String series(String name) {
		ByteArrayOutputStream text = new ByteArrayOutputStream();
		try {
			this.meters.scrape(text, OPEN_METRICS);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		return text.toString(StandardCharsets.UTF_8)
			.lines()
			.filter((line) -> line.startsWith(name))
			.reduce("", String::concat);
	}

	/** A span for each current observation. */
	private record CurrentSpan(ObservationRegistry observations) implements SpanContext {

		@Override
		public @Nullable String getCurrentTraceId() {
			return (this.observations.getCurrentObservation() != null) ? TRACE : null;
		}

		@Override
		public @Nullable String getCurrentSpanId() {
			return (this.observations.getCurrentObservation() != null) ? TRACE.substring(16) : null;
		}

		@Override
		public boolean isCurrentSpanSampled() {
			return true;
		}

		@Override
		public void markCurrentSpanAsExemplar() {
		}

	}

}
