package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests of listeners that remember something of a call.
 */
class CallListenerTests {

	private static final List<Charge> CHARGES = List.of(Charge.of("quotes", "alice"));

	private final Policies policies = new Policies(List.of(policy(OnStoreFailure.ALLOW)));

	private final TestStore store = new TestStore(() -> 1_000_000);

	private final List<String> events = new ArrayList<>();

	private int calls;

	@ParameterizedTest
	@EnumSource
	void areNotifiedOfTheEndOfTheirOwnCall(CallStyle style) {
		RateLimiter limiter = limiter(this.store);
		style.reserve(limiter, CHARGES);
		style.reserve(limiter, CHARGES);
		this.store.fail();
		style.reserve(limiter, CHARGES);
		assertThat(this.events).containsExactly("1 starts", "1 allowed", "2 starts", "2 denied", "3 starts",
				"3 failed");
	}

	@Test
	void areNotifiedOfCallsInFlightApart() {
		RateLimiter limiter = limiter(this.store.delay());
		List<CompletionStage<?>> calls = List.of(limiter.acquireAsync(CHARGES), limiter.acquireAsync(CHARGES));
		assertThat(this.events).containsExactly("1 starts", "2 starts");
		this.store.complete();
		assertThat(calls).allSatisfy((call) -> assertThat(call).isCompleted());
		assertThat(this.events).endsWith("1 allowed", "2 denied");
	}

	@Test
	void areNotifiedOfACancelledCall() {
		limiter(this.store.delay()).acquireAsync(CHARGES).toCompletableFuture().cancel(true);
		this.store.complete();
		assertThat(this.events).containsExactly("1 starts", "1 allowed");
	}

	@ParameterizedTest
	@EnumSource
	void areNotifiedOfACallThatAnExceptionOfTheStoreEnds(CallStyle style) {
		RateLimiter limiter = limiter(this.store.fail().failWith(() -> new IllegalStateException("broken")));
		assertThatIllegalStateException().isThrownBy(() -> style.reserve(limiter, CHARGES));
		assertThat(this.events).containsExactly("1 starts", "1 abandoned broken");
	}

	@Test
	void areNotifiedOfACallThatTheStoreRefusesToSend() {
		RateLimiter limiter = limiter(this.store.decideOn((decision) -> {
			throw new IllegalStateException("broken");
		}));
		assertThatIllegalStateException().isThrownBy(() -> limiter.reserveAsync(CHARGES));
		assertThat(this.events).containsExactly("1 starts", "1 abandoned broken");
	}

	@ParameterizedTest
	@EnumSource
	void endNoCallByAnExceptionOrError(CallStyle style) {
		RateLimitListener broken = new RateLimitListener() {

			@Override
			public RateLimitListener forCall(List<Charge> charges) {
				throw new IllegalStateException("broken listener");
			}

			@Override
			public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
				throw new NoClassDefFoundError("broken/Listener");
			}

		};
		RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of(broken, new Numbering()));
		assertThat(style.reserve(limiter, CHARGES).decision().allowed()).isTrue();
		assertThat(this.events).containsExactly("1 starts", "1 allowed");
	}

	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("NullAway") // a store that breaks its contract
	void areNotifiedOfACallThatAStoreEndsWithoutADecision(CallStyle style) {
		RateLimitStore silent = new TestStore((request) -> null);
		assertThatNullPointerException().isThrownBy(() -> style.reserve(limiter(silent), CHARGES));
		assertThat(this.events).hasSize(2).last().asString().startsWith("1 abandoned");
	}

	private RateLimiter limiter(RateLimitStore store) {
		return new RateLimiter(this.policies, store, List.of(new RateLimitListener() {
		}, new Numbering()));
	}

	private static Policy policy(OnStoreFailure onStoreFailure) {
		return new Policy("quotes", List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1h"))), List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(onStoreFailure, 100));
	}

	/** Gives each call a number. */
	private final class Numbering implements RateLimitListener {

		@Override
		public RateLimitListener forCall(List<Charge> charges) {
			int number = ++CallListenerTests.this.calls;
			CallListenerTests.this.events.add(number + " starts");
			return new NumberedCall(number, CallListenerTests.this.events);
		}

	}

	/** The listener of one call. */
	private record NumberedCall(int number, List<String> events) implements RateLimitListener {

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			end(decision.allowed() ? "allowed" : "denied");
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			end("failed");
		}

		@Override
		public void abandoned(List<Charge> charges, Throwable cause) {
			end("abandoned " + ((cause.getCause() != null) ? cause.getCause() : cause).getMessage());
		}

		private void end(String event) {
			this.events.add(this.number + " " + event);
		}

	}

}
