package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the text of a detached charge.
 */
class DetachedTextTests {

	@ParameterizedTest
	@MethodSource
	void readsWhatItHasWritten(Limit limit) {
		PolicyLimit enforced = new PolicyLimit("policy", "counter", 0, limit, 0);
		DetachedCharge charge = new DetachedCharge("policy", "hash", "digest:0123456789abcdef", 2, 7, 9, 8,
				List.of(new PermitRequest(enforced, "hash", 7, 0, 1_790_000_000_123_456L, 1_790_000_005_123_456L),
						new PermitRequest(new PolicyLimit("policy", "counter", 101, limit, 0).inShadow(), "hash", 3, 0,
								1_790_000_000_123_456L, 1_790_000_000_123_457L)));
		assertThat(DetachedText.read(DetachedText.write(charge), "hash")).isEqualTo(charge);
	}

	static Stream<Limit> readsWhatItHasWritten() {
		return Stream.concat(Algorithm.rates().map((algorithm) -> Limit.parse("100/1m", algorithm)),
				Stream.of(Limit.parse("100/1m leaky-bucket burst 7"),
						Limit.of(Algorithm.TOKEN_BUCKET, new Rate(3, Duration.ofNanos(1_234_000))),
						Limit.parse("5/1d fixed-window align day zone Asia/Tokyo"),
						Limit.parse("5/30d fixed-window align month zone +02:00")));
	}

	@Test
	void doesNotWriteTheKey() {
		DetachedCharge charge = new DetachedCharge("policy", "alice", "alice", 1, 7, 7, 7, List.of());
		assertThat(DetachedText.write(charge)).isEqualTo("1 policy 1 7 7 7 digest:2bd806c97f0e00af");
		DetachedCharge unnoticed = new DetachedCharge("policy", "alice", null, 1, 7, 7, 7, List.of());
		assertThat(DetachedText.write(unnoticed)).isEqualTo("1 policy 1 7 7 7 -");
		assertThat(DetachedText.read("1 policy 1 7 7 7 -", "alice")).isEqualTo(unnoticed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "1 policy 1 7 7 7", "2 policy 1 7 7 7 -", "1 policy 1 7 7 x -",
			"1 policy 1 7 7 7 -\nno limit" })
	void refusesAnotherForm(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> DetachedText.read(text, "hash"));
	}

}
