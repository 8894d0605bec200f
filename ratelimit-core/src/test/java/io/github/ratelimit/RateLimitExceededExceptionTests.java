package io.github.ratelimit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitExceededExceptionTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1m"));

	@Test
	void namesPolicyMethodAndSeconds() throws NoSuchMethodException {
		assertThat(new RateLimitExceededException(denial(59_984_126), "ReportJob.run()"))
			.hasMessage("Rate limit 'reports' exceeded for ReportJob.run(): retry in 60 s");
	}

	@Test
	void namesPolicyAndSecondsWithoutAMethod() {
		assertThat(new RateLimitExceededException(denial(1))).hasMessage("Rate limit 'reports' exceeded: retry in 1 s");
	}

	@Test
	void namesEachPolicyThatDeniesOnce() {
		Decision decision = Decision.of(0,
				List.of(decision("a", 1), decision("b", 0), decision("c", 2_000_001), decision("a", 3)));
		assertThat(new RateLimitExceededException(decision)).hasMessage("Rate limits 'a', 'c' exceeded: retry in 3 s");
	}

	@Test
	void keepsItsMessageWhenItIsSerialized() throws IOException, ClassNotFoundException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(new RateLimitExceededException(denial(1)));
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			assertThat((Exception) in.readObject()).hasMessage("Rate limit 'reports' exceeded: retry in 1 s");
		}
	}

	private static Decision denial(long retryAfterMicros) {
		return Decision.of(0, List.of(decision("reports", retryAfterMicros)));
	}

	private static LimitDecision decision(String policy, long retryAfterMicros) {
		return new LimitDecision(policy, "key", LIMIT, 0, retryAfterMicros, 0, 0);
	}

	static class ReportJob {

		void run() {
		}

	}

}
