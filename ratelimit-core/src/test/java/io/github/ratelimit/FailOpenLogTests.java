package io.github.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailOpenLogTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final List<String> warnings = new ArrayList<>();

	private final FailOpenLog log = new FailOpenLog(
			new Policies(List.of(policy("login", OnStoreFailure.DENY), policy("quotes", OnStoreFailure.ALLOW),
					policy("search", OnStoreFailure.ALLOW), policy("upload", OnStoreFailure.LOCAL))),
			this.clock::get, this.warnings::add);

	private final TestStore store = new TestStore(this.clock::get);

	@Test
	void namesThePoliciesThatDoNotLimitTheStoreAndTheProperty() {
		this.log.letThrough(this.store, Kind.TIMEOUT);
		assertThat(this.warnings)
			.containsExactly("Calls are NOT limited by these policies, as test does not decide (timeout) and their "
					+ "'on-store-failure' is 'allow': quotes, search. To limit them meanwhile, "
					+ "set it to 'local' or 'deny'");
	}

	@Test
	void namesWhatMadeTheBreakerOpen() {
		this.log.letThrough(new Broken(), Kind.OPEN);
		assertThat(this.warnings).singleElement().asString().contains("Redis does not decide (oom)");
	}

	@Test
	void warnsOnceAMinuteAtMost() {
		for (int second = 0; second < 150; second++) {
			this.log.letThrough(this.store, Kind.TIMEOUT);
			this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(this.warnings).hasSize(3);
	}

	/** A store whose breaker is open, as it had no memory left. */
	private static final class Broken implements RateLimitStore {

		@Override
		public String name() {
			return "Redis";
		}

		@Override
		public StoreFailure lastFailure() {
			return new StoreFailure(Kind.OOM, null, Instant.EPOCH);
		}

		@Override
		public Decision execute(StoreRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Decision> executeAsync(StoreRequest request) {
			throw new UnsupportedOperationException();
		}

	}

	private static Policy policy(String name, OnStoreFailure mode) {
		return new Policy(name, List.of(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET)), List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(mode, 100));
	}

}
