package io.github.ratelimit.spring.key;

import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChargeCacheTests {

	private final ChargeCache charges = new ChargeCache();

	@Test
	void returnsTheSameChargeOfAKeyFromTheSecondCallOn() {
		Charge first = this.charges.of("api", "alice", 2, "gold");
		Charge charge = this.charges.of("api", "alice", 2, "gold");
		assertThat(charge).isEqualTo(new Charge("api", "alice", 2).withPlan("gold"))
			.isSameAs(this.charges.of("api", "alice", 2, "gold"))
			.isNotSameAs(first);
	}

	@Test
	void tellsCostsAndPlansApart() {
		Charge charge = this.charges.of("api", "alice", 1, null);
		assertThat(this.charges.of("api", "alice", 2, null)).isEqualTo(new Charge("api", "alice", 2));
		assertThat(this.charges.of("api", "alice", 2, "gold"))
			.isEqualTo(new Charge("api", "alice", 2).withPlan("gold"));
		assertThat(this.charges.of("api", "alice", 1, null)).isEqualTo(charge);
	}

	@Test
	void tellsKeysOfOneSlotApart() {
		assertThat("Aa").hasSameHashCodeAs("BB");
		Charge first = this.charges.of("api", "Aa", 1, null);
		assertThat(this.charges.of("api", "BB", 1, null)).isEqualTo(new Charge("api", "BB", 1));
		assertThat(this.charges.of("api", "Aa", 1, null)).isEqualTo(first).isNotSameAs(first);
	}

	@Test
	void returnsTheChargeOfTheKeyWhileOthersPassBy() {
		this.charges.of("api", "alice", 1, null);
		Charge charge = this.charges.of("api", "alice", 1, null);
		assertThat(IntStream.range(0, 10_000).filter((call) -> {
			this.charges.of("api", "caller-" + call, 1, null);
			return charge.equals(this.charges.of("api", "alice", 1, null));
		})).hasSize(10_000);
	}

	@Test
	void keepsNoLongKeys() {
		String longest = "a".repeat(128);
		assertThat(this.charges.of("api", longest, 1, null)).isEqualTo(new Charge("api", longest, 1));
		assertThat(this.charges.of("api", longest, 1, null)).isSameAs(this.charges.of("api", longest, 1, null));
		String longer = longest + "a";
		assertThat(this.charges.of("api", longer, 1, null)).isEqualTo(new Charge("api", longer, 1));
		assertThat(this.charges.of("api", longer, 1, null)).isNotSameAs(this.charges.of("api", longer, 1, null));
	}

}
