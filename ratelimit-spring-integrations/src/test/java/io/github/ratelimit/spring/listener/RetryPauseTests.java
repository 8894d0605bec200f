package io.github.ratelimit.spring.listener;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryPauseTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1m"));

	@Test
	void lastsUntilADeniedCallIsAdmitted() {
		assertThat(RetryPause.after(denial(59_984_126))).isEqualTo(Duration.ofMillis(59_985));
		assertThat(RetryPause.after(denial(1))).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void findsTheDenialAmongTheCauses() {
		assertThat(RetryPause.after(new IllegalStateException(new IllegalArgumentException(denial(1)))))
			.isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void lastsASecondIfTheStoreCouldNotDecide() {
		assertThat(RetryPause.after(new IllegalStateException(new RateLimitStoreException("down", null))))
			.isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void isNothingForFailuresThatWouldRecur() {
		assertThat(RetryPause.after(new IllegalStateException())).isNull();
		assertThat(RetryPause.after(new BlockedCallerException("orders"))).isNull();
		assertThat(RetryPause.after(new MissingKeyException("orders"))).isNull();
	}

	@Test
	void endsInACircleOfCauses() {
		Exception first = new IllegalStateException();
		first.initCause(new IllegalStateException(first));
		assertThat(RetryPause.after(first)).isNull();
	}

	private static RateLimitExceededException denial(long retryAfterMicros) {
		return new RateLimitExceededException(
				Decision.of(0, List.of(new LimitDecision("orders", "key", LIMIT, 0, retryAfterMicros, 0, 0))));
	}

}
