package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the counters of calls that are near a limit. */
class NearLimitTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100);

	@Test
	void countsCallsNearTheirLimitApart() {
		RateLimitMetrics eighty = new RateLimitMetrics(this.registry, this.store, this.store, UnaryOperator.identity(),
				new Thresholds(List.of(80), Map.of()));
		RateLimiter near = new RateLimiter(new Policies(List.of(policy("ten", "10/1h"))), this.store, List.of(eighty));
		for (int call = 0; call < 11; call++) {
			near.acquire(Charge.of("ten", "alice"));
		}
		assertThat(requests("ten", "allowed")).isEqualTo(7);
		assertThat(requests("ten", "near_limit")).isEqualTo(3);
		assertThat(requests("ten", "denied")).isEqualTo(1);
	}

	@Test
	void countsCallsByTheThresholdThatTheyReached() {
		RateLimitMetrics thresholds = new RateLimitMetrics(this.registry, this.store, this.store,
				UnaryOperator.identity(), new Thresholds(List.of(80), Map.of("ten", List.of(50, 80, 100))));
		RateLimiter near = new RateLimiter(new Policies(List.of(policy("ten", "10/1h"), policy("five", "5/1h"))),
				this.store, List.of(thresholds));
		for (int call = 0; call < 11; call++) {
			near.acquire(Charge.of("ten", "alice"));
			near.acquire(Charge.of("five", "alice"));
		}
		assertThat(near("ten", "50%")).isEqualTo(3);
		assertThat(near("ten", "80%")).isEqualTo(2);
		assertThat(near("ten", "100%")).isEqualTo(1);
		assertThat(near("five", "80%")).isEqualTo(2);
		assertThat(requests("ten", "near_limit")).isEqualTo(6);
	}

	@Test
	void countsNoCallNearALimitWhoseBurstIsOne() {
		RateLimitMetrics eighty = new RateLimitMetrics(this.registry, this.store, this.store, UnaryOperator.identity(),
				new Thresholds(List.of(80), Map.of()));
		Policy leaky = new Policy("leaky", List.of(Limit.parse("1000/1s", Algorithm.LEAKY_BUCKET)), List.of("global"));
		new RateLimiter(new Policies(List.of(leaky)), this.store, List.of(eighty)).acquire(Charge.of("leaky", "alice"));
		assertThat(requests("leaky", "allowed")).isEqualTo(1);
		assertThat(requests("leaky", "near_limit")).isZero();
	}

	private double near(String policy, String threshold) {
		return this.registry.get("ratelimit.near.limit")
			.tags("policy", policy, "threshold", threshold)
			.counter()
			.count();
	}

	private double requests(String policy, String outcome) {
		Counter counter = this.registry.find("ratelimit.requests").tags("policy", policy, "outcome", outcome).counter();
		return (counter != null) ? counter.count() : 0;
	}

	private static Policy policy(String name, String rate) {
		return new Policy(name, List.of(Limit.parse(rate)), List.of("global"));
	}

}
