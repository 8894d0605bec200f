package io.github.ratelimit.algorithm;

import java.util.Objects;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the formulas on states of one number, next to those on states of several.
 */
class LongFormulaTests {

	private static final long BEGAN = 1_700_000_000_123_456L;

	@ParameterizedTest
	@ValueSource(strings = { "10/1s token-bucket", "7/3s leaky-bucket burst 4", "10/1s fixed-window",
			"1/1s fixed-window", "1000/1m fixed-window", "10/1s sliding-window-counter", "1/1s sliding-window-counter",
			"100000000/1d sliding-window-counter", "1000/1m sliding-window-counter" })
	void decidesLikeTheFormulaOnStates(String text) {
		Limit limit = Limit.parse(text, Algorithm.TOKEN_BUCKET);
		Both both = new Both(limit);
		Random random = new Random(text.hashCode());
		long now = BEGAN;
		for (int call = 0; call < 20_000; call++) {
			now += step(limit, random);
			long cost = 1 + random.nextLong(Math.min(limit.burst(), 1 + random.nextLong(limit.burst())));
			both.acquire(now, cost, random.nextInt(4) * limit.periodMicros() / 2);
		}
	}

	/** Steps by nothing, by less than a period, and sometimes by several. */
	private static long step(Limit limit, Random random) {
		long period = limit.periodMicros();
		return switch (random.nextInt(10)) {
			case 0 -> random.nextLong(4 * period);
			case 1 -> period;
			case 2, 3 -> 0;
			default -> random.nextLong(1 + period / Math.min(limit.burst(), 50));
		};
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "sliding-window-counter" })
	void fitsCountsUpToItsBits(String algorithm) {
		Limit limit = Limit.parse("1000/1s " + algorithm, Algorithm.TOKEN_BUCKET);
		LongFormula formula = longFormula(limit);
		long origin = formula.origin(BEGAN);
		assertThat(formula.pack(limit.formula().stateOf(1023, BEGAN), origin)).isNotEqualTo(LongFormula.UNFIT);
		assertThat(formula.pack(limit.formula().stateOf(1024, BEGAN), origin)).isEqualTo(LongFormula.UNFIT);
	}

	@Test
	void countsTheTimeOfWindowsFromTheirFirstNumber() {
		assertThat(longFormula(Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/1s"))).origin(BEGAN)).isEqualTo(BEGAN);
		assertThat(longFormula(Limit.of(Algorithm.SLIDING_WINDOW_COUNTER, Rate.parse("10/1s"))).origin(BEGAN))
			.isEqualTo(BEGAN - BEGAN % 1_000_000);
	}

	@Test
	void chargesNoWindowThatEndsTooLateForOneNumber() {
		LongFormula formula = longFormula(Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("1000/1s")));
		long last = (Long.MAX_VALUE >> 10) - 1_000_000;
		assertThat(formula.resetAfter(formula.charge(0, last, 5, 0), last)).isEqualTo(1_000_000);
		assertThat(formula.charge(0, last + 1, 5, 0)).isEqualTo(LongFormula.UNFIT);
		assertThat(formula.charge(0, last, 5, 1)).isEqualTo(LongFormula.UNFIT);
	}

	@Test
	void chargesNoWindowWhoseNumberIsTooHigh() {
		LongFormula formula = longFormula(Limit.of(Algorithm.SLIDING_WINDOW_COUNTER, Rate.parse("1000000/1s")));
		long last = (Long.MAX_VALUE >> 40) * 1_000_000;
		assertThat(formula.remaining(formula.charge(0, last, 5, 0), last)).isEqualTo(999_995);
		assertThat(formula.charge(0, last + 1_000_000, 5, 0)).isEqualTo(LongFormula.UNFIT);
		assertThat(formula.isUnspent(formula.charge(0, 0, 5, 0), last + 1_000_000)).isTrue();
		assertThat(formula.waitFor(formula.charge(0, 0, 5, 0), last + 1_000_000, 1_000_000)).isZero();
	}

	@Test
	void isOfNoWindowWhoseCountsDoNotFitOneNumber() {
		assertThat(Limit.parse("2147483647/1s", Algorithm.SLIDING_WINDOW_COUNTER).longFormula()).isNotNull();
		assertThat(Limit.parse("2147483648/1s", Algorithm.SLIDING_WINDOW_COUNTER).longFormula()).isNull();
	}

	@Test
	void isOfNoWindowOfTheCalendarNorOfLogs() {
		assertThat(Limit.parse("10/1d fixed-window align day", Algorithm.FIXED_WINDOW).longFormula()).isNull();
		assertThat(Limit.parse("10/1d", Algorithm.SLIDING_WINDOW_LOG).longFormula()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "sliding-window-counter" })
	void isAValue(String algorithm) {
		LongFormula formula = longFormula(Limit.parse("10/1s " + algorithm, Algorithm.TOKEN_BUCKET));
		assertThat(formula).isEqualTo(longFormula(Limit.parse("10/1s " + algorithm, Algorithm.TOKEN_BUCKET)))
			.hasSameHashCodeAs(longFormula(Limit.parse("10/1s " + algorithm, Algorithm.TOKEN_BUCKET)))
			.isNotEqualTo(longFormula(Limit.parse("11/1s " + algorithm, Algorithm.TOKEN_BUCKET)))
			.doesNotHaveSameHashCodeAs(longFormula(Limit.parse("11/1s " + algorithm, Algorithm.TOKEN_BUCKET)))
			.isNotEqualTo(longFormula(Limit.parse("10/2s " + algorithm, Algorithm.TOKEN_BUCKET)))
			.isNotEqualTo(longFormula(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET)))
			.isNotEqualTo(null);
	}

	private static LongFormula longFormula(Limit limit) {
		return Objects.requireNonNull(limit.longFormula());
	}

	/** A state of several numbers and one of one number, after the same calls. */
	private static final class Both {

		private final Formula formula;

		private final LongFormula longFormula;

		private long origin;

		private long[] state;

		private long number;

		private long began = BEGAN;

		Both(Limit limit) {
			this.formula = limit.formula();
			this.longFormula = longFormula(limit);
			this.origin = this.longFormula.origin(BEGAN);
			this.state = this.formula.stateOf(0, BEGAN);
			this.number = this.longFormula.pack(this.state, this.origin);
		}

		void acquire(long now, long cost, long maxWait) {
			begin(now);
			long wait = this.longFormula.waitFor(this.number, now - this.origin, cost);
			assertThat(wait).isEqualTo(this.formula.waitFor(this.state, now, cost));
			if (wait <= maxWait) {
				this.state = this.formula.take(this.state, now, cost, wait);
				this.number = this.longFormula.charge(this.number, now - this.origin, cost, wait);
				if (this.number == LongFormula.UNFIT) {
					this.origin = this.longFormula.origin(now);
					this.number = this.longFormula.pack(this.state, this.origin);
				}
				assertThat(this.longFormula.unpack(this.number, this.origin, now, this.began)).isEqualTo(this.state);
				assertThat(this.longFormula.pack(this.state, this.origin)).isEqualTo(this.number);
				assertThat(this.longFormula.began(this.state)).isEqualTo(this.began);
			}
		}

		private void begin(long now) {
			long reset = this.formula.resetAfter(this.state, now);
			assertThat(this.longFormula.resetAfter(this.number, now - this.origin)).isEqualTo(reset);
			assertThat(this.longFormula.isUnspent(this.number, now - this.origin)).isEqualTo(reset == 0);
			assertThat(this.longFormula.remaining(this.number, now - this.origin))
				.isEqualTo(this.formula.remaining(this.state, now));
			if (reset == 0) {
				this.state = this.formula.stateOf(0, now);
				this.began = now;
			}
		}

	}

}
