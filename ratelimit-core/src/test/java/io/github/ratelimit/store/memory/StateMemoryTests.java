package io.github.ratelimit.store.memory;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StateMemoryTests {

	/** A memory of 100 numbers for all states, and a share of 10 for each. */
	private final StateMemory memory = new StateMemory(1600, 10);

	@Test
	void growsStatesInHalfOfTheMemoryFirstComeFirstServed() {
		assertThat(this.memory.tryGrow(0, 100)).isTrue();
		assertThat(this.memory.tryGrow(0, 11)).isFalse();
		assertThat(this.memory.bytes()).isEqualTo(800);
		this.memory.release(11);
		assertThat(this.memory.tryGrow(0, 11)).isTrue();
		assertThat(this.memory.refused()).isOne();
	}

	@Test
	void growsEachStateUpToItsShareInTheOtherHalf() {
		assertThat(this.memory.tryGrow(0, 100)).isTrue();
		for (int state = 0; state < 10; state++) {
			assertThat(this.memory.tryGrow(0, 10)).isTrue();
		}
		assertThat(this.memory.tryGrow(10, 11)).isFalse();
		assertThat(this.memory.bytes()).isEqualTo(1600);
	}

	@Test
	void freesWhatIsDropped() {
		assertThat(this.memory.tryGrow(0, 60)).isTrue();
		assertThat(this.memory.tryGrow(60, 90)).isTrue();
		this.memory.release(90);
		assertThat(this.memory.bytes()).isZero();
		assertThat(this.memory.refused()).isZero();
	}

}
