package io.github.ratelimit.policy;

import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class EnforcedShareTests {

	private static final int KEYS = 100_000;

	private static final long SEED = 42;

	static Stream<IntFunction<String>> keys() {
		Random random = new Random(SEED);
		return Stream.of((index) -> "principal:user" + index, Integer::toString,
				(index) -> "client-ip:10." + (index >> 16) + '.' + (index >> 8 & 255) + '.' + (index & 255),
				(index) -> "header:x-api-key:%032d".formatted(index),
				(index) -> "claim:tenant:" + Long.toHexString(random.nextLong()));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void enforcesItsShareOfKeys(IntFunction<String> keys) {
		List<String> all = IntStream.range(0, KEYS).mapToObj(keys).toList();
		for (int percent = 0; percent <= 100; percent += 10) {
			EnforcedShare share = new EnforcedShare(percent);
			double enforced = 100.0 * all.stream().filter(share::includes).count() / KEYS;
			assertThat(enforced).as("%s", share).isCloseTo(percent, within(1.0));
		}
	}

	@Test
	void neverLetsAKeyThatIsEnforcedGoWhileItGrows() {
		Random random = new Random(SEED);
		for (int i = 0; i < 10_000; i++) {
			String key = random.ints(random.nextInt(1, 40), Character.MIN_VALUE, Character.MAX_VALUE)
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
			int[] shares = IntStream.rangeClosed(0, 100)
				.filter((percent) -> new EnforcedShare(percent).includes(key))
				.toArray();
			assertThat(shares).as("the shares of key %d with seed %d", i, SEED)
				.containsExactly(IntStream.rangeClosed(shares[0], 100).toArray());
		}
	}

	/** A release that changed these would change the sides of callers. */
	@ParameterizedTest
	@CsvSource({ "a, 15", "b, 4", "global, 78", "header:x-caller:alice, 50", "principal:alice, 87",
			"client-ip:127.0.0.1, 69" })
	void placesAKeyAsEveryReleaseDoes(String key, int place) {
		assertThat(new EnforcedShare(place).includes(key)).isFalse();
		assertThat(new EnforcedShare(place + 1).includes(key)).isTrue();
	}

	@Test
	void readsAPercentage() {
		assertThat(EnforcedShare.of("0%")).isEqualTo(EnforcedShare.NONE);
		assertThat(EnforcedShare.of(" 10% ")).isEqualTo(new EnforcedShare(10)).hasToString("10%");
		assertThat(EnforcedShare.of("100%")).isEqualTo(EnforcedShare.ALL);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "%", "0.1", "10", "-1%", "101%", "999%", "1000%", "0.5%", "ten", "10 %", "1e1%" })
	void readsNothingElse(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> EnforcedShare.of(text))
			.withMessage("the share of keys to enforce is a whole percentage from 0% to 100%, such as 10%");
	}

}
