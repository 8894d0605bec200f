package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the arithmetic for counting without a lock.
 */
class GcraTests {

	/** A period without a common divisor with the permits below. */
	private static final Duration ODD = Duration.ofNanos(15_625_000);

	@Test
	void isOfLimitsWhoseTimesFitOneNumber() {
		assertThat(gcra(new Rate(1024, ODD), 1)).isNotNull();
		assertThat(gcra(new Rate(1027, ODD), 1)).isNull();
	}

	@Test
	void fitsTheSoonerTheLongerATickIs() {
		assertThat(gcra(Rate.parse("6131/1d"), 1)).isNull();
		assertThat(gcra(Rate.parse("6131/1d"), 100_000)).isNotNull();
	}

	@Test
	void isOfEveryBucket() {
		assertThat(Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/1s")).longFormula()).isNotInstanceOf(Gcra.class);
		assertThat(Limit.of(Algorithm.LEAKY_BUCKET, Rate.parse("10/1s")).longFormula()).isInstanceOf(Gcra.class);
	}

	@Test
	void representsWhatIsSpentByTheTimeItWillBeRefilled() {
		Gcra gcra = Objects.requireNonNull(gcra(new Rate(1024, ODD), 10));
		long arrival = gcra.pack(gcra.state(5 * 15_625, 1_000_000, 900_000), 0);
		assertThat(gcra.unpack(arrival, 0, 1_000_000, 900_000)).isEqualTo(gcra.state(5 * 15_625, 1_000_000, 900_000));
		assertThat(gcra.unpack(arrival, 0, 1_000_010, 900_000))
			.isEqualTo(gcra.state(5 * 15_625 - 10 * 1024, 1_000_010, 900_000));
		assertThat(gcra.isUnspent(arrival, 1_000_076)).isFalse();
		assertThat(gcra.isUnspent(arrival, 1_000_077)).isTrue();
	}

	@Test
	void isAValue() {
		Gcra gcra = gcra(Rate.parse("10/1s"), 10);
		assertThat(gcra).isEqualTo(gcra(Rate.parse("10/1s"), 10))
			.hasSameHashCodeAs(gcra(Rate.parse("10/1s"), 10))
			.isNotEqualTo(gcra(Rate.parse("10/1s"), 11))
			.doesNotHaveSameHashCodeAs(gcra(Rate.parse("10/1s"), 11))
			.isNotEqualTo(gcra(Rate.parse("20/1s"), 20))
			.isNotEqualTo(gcra(Rate.parse("30/1s"), 10))
			.isNotEqualTo("10/1s")
			.isNotEqualTo(null);
	}

	private static @Nullable Gcra gcra(Rate rate, long burst) {
		return (Gcra) Limit.of(Algorithm.TOKEN_BUCKET, rate).withBurst(burst).longFormula();
	}

}
