package io.github.ratelimit.spring.ai;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallerCostsTests {

	private final CallerCosts costs = new CallerCosts();

	@Test
	void onlyOneCallReservesLessForWhatIsLeft() {
		this.costs.add(100);
		this.costs.add(60_000);
		this.costs.leave(5_000);
		assertThat(this.costs.estimate(1_000)).isEqualTo(5_000);
		assertThat(this.costs.estimate(1_000)).isEqualTo(60_000);
	}

	@Test
	void reservesTheLeastThatWasPaidWhereLessIsLeft() {
		this.costs.leave(5);
		assertThat(this.costs.estimate(1_000)).as("before any call").isEqualTo(1_000);
		this.costs.add(100);
		this.costs.leave(5);
		assertThat(this.costs.estimate(1_000)).isEqualTo(100);
	}

	@Test
	void remembersTheLast64CallsOfACaller() {
		assertThat(this.costs.estimate(7)).isEqualTo(7);
		LongStream.rangeClosed(1, 64).forEach((cost) -> this.costs.add(1_000_000));
		LongStream.rangeClosed(1, 64).forEach(this.costs::add);
		assertThat(this.costs.estimate(7)).isEqualTo(61);
	}

	@Test
	void neverReservesNothingUnlessModelsAreFree() {
		this.costs.add(0);
		assertThat(this.costs.estimate(1_000)).isEqualTo(1);
		assertThat(this.costs.estimate(0)).isZero();
	}

}
