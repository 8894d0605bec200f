package io.github.ratelimit.spring.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.CoveringArray;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.client.OutboundRow.Answer;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The contract of all clients whose calls are under a policy, with all pairs of features.
 */
abstract class OutboundPairsContract {

	static final String PARTNER = "https://partner.example/things";

	final SteppedOutboundClock clock = new SteppedOutboundClock();

	final Policies policies = new Policies(List.of(policy("strict", "2/1h", Duration.ZERO),
			policy("wide", "1000/1h", Duration.ZERO), policy("patient", "1000/1h", Duration.ofSeconds(30)),
			policy("queue", "100/1s leaky-bucket", Duration.ofMillis(15)),
			policy("slots", "1 concurrent", Duration.ZERO)));

	private final MemoryRateLimitStore counts = new MemoryRateLimitStore(1_000,
			() -> this.clock.passed().toNanos() / 1_000);

	/** The events before each decision. */
	Runnable meanwhile = () -> {
	};

	final TestStore store = new TestStore((request) -> {
		this.meanwhile.run();
		return this.counts.execute(request);
	});

	final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());

	final UpstreamPauses pauses = new UpstreamPauses(this.clock);

	/** The next responses of the upstream; 200 after these. */
	final List<Response> responses = new ArrayList<>();

	/** The times of the calls to the upstream. */
	final List<Duration> calls = new ArrayList<>();

	/** A response of the upstream. */
	record Response(int status, HttpHeaders headers) {

		static final Response OK = new Response(200, new HttpHeaders());

		static Response tooManyRequests(String... retryAfter) {
			return of(429, retryAfter);
		}

		static Response of(int status, String... retryAfter) {
			HttpHeaders headers = new HttpHeaders();
			headers.addAll(HttpHeaders.RETRY_AFTER, List.of(retryAfter));
			return new Response(status, headers);
		}

	}

	/** The work of the upstream for the next request. */
	Runnable work = () -> {
	};

	/** Makes a call under a policy and returns its status. */
	abstract int call(String policy, String uri);

	abstract int call(String policy, Function<URI, String> key, String uri);

	abstract int call(String policy, long cost, String uri);

	/** Returns the next response, for each request that reaches the upstream. */
	Response respond() {
		this.calls.add(this.clock.passed());
		this.work.run();
		return this.responses.isEmpty() ? Response.OK : this.responses.remove(0);
	}

	@BeforeEach
	void startLater() {
		this.clock.pass(Duration.ofMinutes(3));
	}

	static Stream<OutboundRow> rows() {
		return CoveringArray.pairs(OutboundRow.class, (values) -> true).stream();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void doesWhatIsDocumentedOfAllPairs(OutboundRow row) {
		this.policies.add(row.limited().policy());
		first(row);
		happen(row.meanwhile());
		Duration start = this.clock.passed();
		Class<? extends RuntimeException> failure = row.failure();
		if (failure == null) {
			assertThat(call(row)).isEqualTo(200);
			assertThat(this.calls).last().isEqualTo(start.plus(row.waits()));
		}
		else {
			assertThatThrownBy(() -> call(row)).isExactlyInstanceOf(failure);
		}
		assertThat(this.calls).hasSize((failure == null) ? 2 : 1);
		requireSpent(row);
	}

	private void first(OutboundRow row) {
		if (row.answer() == Answer.THROWN) {
			this.work = () -> {
				throw new IllegalStateException("The upstream failed");
			};
			assertThatIllegalStateException().isThrownBy(() -> call(row));
			this.work = () -> {
			};
		}
		else {
			this.responses.add(row.answer().response());
			assertThat(call(row)).isEqualTo(row.answer().response().status());
		}
	}

	private int call(OutboundRow row) {
		return call("row", row.cost().permits(), PARTNER);
	}

	private void happen(OutboundRow.Meanwhile meanwhile) {
		switch (meanwhile) {
			case NOTHING -> {
			}
			case SECONDS_PASS -> this.clock.pass(Duration.ofSeconds(7));
			case BANNED -> this.policies.control(new KeyControls(Map.of(new Subject("row", PARTNER), KeyControl.BAN)));
			case PAUSED -> this.pauses.pause("row", PARTNER, Duration.ofSeconds(20));
			case PAUSED_AT_DECISION -> this.meanwhile = () -> {
				this.pauses.pause("row", PARTNER, Duration.ofSeconds(20));
				this.meanwhile = () -> {
				};
			};
			case STORE_FAILS -> this.store.fail();
		}
	}

	/** Checks what both calls have spent, and that they hold nothing any more. */
	private void requireSpent(OutboundRow row) {
		this.store.recover();
		this.meanwhile = () -> {
		};
		this.policies.control(KeyControls.NONE);
		Decision left = this.limiter.peek(List.of(new Charge("row", PARTNER, 0)));
		assertThat(Stream.concat(left.limits().stream(), left.shadows().stream()))
			.allSatisfy((limit) -> assertThat(limit.limit().burst() - limit.remaining())
				.isEqualTo(limit.limit().isConcurrency() ? 0 : row.spent()));
	}

	static Policy policy(String name, String limit, Duration maxWait) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of(Policy.EVERYONE))
			.withOptions(PolicyOptions.STANDARD.withMaxWait(maxWait));
	}

}
