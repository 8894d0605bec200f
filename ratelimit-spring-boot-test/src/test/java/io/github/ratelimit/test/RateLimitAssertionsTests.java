package io.github.ratelimit.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimitAssertionsTests {

	private final RateLimiter limiter = new RateLimiter(
			new Policies(
					List.of(new Policy("quotes",
							List.of(Limit.parse("1/1m", Algorithm.TOKEN_BUCKET),
									Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)),
							List.of("global")))),
			new MemoryRateLimitStore(1, () -> 0), List.of());

	@Test
	void readsTheProblem() {
		ClientResult result = response(429, Map.of("Retry-After", "6", "RateLimit", "\"other\";r=0;t=6"),
				"{\"violated-policies\" : [ \"quotes:10/1m\", \"per-tenant\"],\"x\":[\"y\"]}");
		assertThat(result.policies()).containsExactly("quotes", "per-tenant");
		new RateLimitAssert(result).isRateLimited().by("quotes").by("per-tenant").retryAfter("6s").retryAfter("6000ms");
	}

	@Test
	void readsTheHeaderOfABodyThatNamesNone() {
		ClientResult result = response(429,
				Map.of("RateLimit", "\"quotes:10/1m\";r=0;t=6, \"b\";r=05;t=1, \"c\";r=0;t=1"), "too many");
		assertThat(result.policies()).containsExactly("quotes", "c");
	}

	@Test
	void readsExceptionsAndTheirCauses() {
		assertThat(this.limiter.acquire(Charge.of("quotes", "global")).allowed()).isTrue();
		assertThatCall(this::deny).isRateLimited().by("quotes").retryAfter("1m");
		assertThatCall(() -> {
			throw new CompletionException(new RateLimitExceededException(decide()));
		}).isRateLimited().by("quotes");
	}

	@Test
	void namesWhatItFoundInstead() {
		RateLimitAssert limited = new RateLimitAssert(response(429, Map.of("Retry-After", "7"), ""));
		fails(() -> limited.by("quotes"), "'quotes'", "[]");
		fails(() -> limited.retryAfter("6s"), "6s", "7s");
		fails(() -> limited.as("the login").retryAfter("6s"), "[the login]");
		fails(() -> new RateLimitAssert(response(429, Map.of(), "")).retryAfter("6s"), "no Retry-After");
		for (String assertion : List.of("isRateLimited", "by", "retryAfter")) {
			RateLimitAssert other = new RateLimitAssert(response(503, Map.of("Retry-After", "6"), ""));
			fails(() -> assertOn(other, assertion), "rate limited", "status 503");
		}
		fails(() -> assertThatCall(() -> {
		}).isRateLimited(), "no exception");
		fails(() -> assertThatCall(() -> {
			throw new IllegalStateException("broken");
		}).isRateLimited(), "IllegalStateException", "broken");
		assertThatIllegalArgumentException().isThrownBy(() -> limited.retryAfter("7")).withMessageContaining("unit");
	}

	private static void assertOn(RateLimitAssert call, String assertion) {
		switch (assertion) {
			case "by" -> call.by("quotes");
			case "retryAfter" -> call.retryAfter("6s");
			default -> call.isRateLimited();
		}
	}

	private static void fails(ThrowingCallable assertion, String... parts) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.satisfies((failure) -> assertThat(failure.getMessage()).contains(parts));
	}

	private static ClientResult response(int status, Map<String, String> headers, String body) {
		return ClientResult.of(status, headers::get, body);
	}

	private Decision decide() {
		return this.limiter.acquire(Charge.of("quotes", "global"));
	}

	private void deny() {
		throw new RateLimitExceededException(decide());
	}

}
