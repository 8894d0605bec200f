package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.memory.CounterStore.LimitCounters;
import io.github.ratelimit.store.memory.CounterStore.LimitCountersTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LimitCountersTableTests {

	private static final Limit LIMIT = Limit.parse("10/1s", Algorithm.TOKEN_BUCKET);

	private final LimitCountersTable table = new LimitCountersTable();

	@Test
	void keepsTheCountsOfEveryLimitApartAndFindsThemAgain() {
		List<PolicyLimit> effective = IntStream.range(0, 1000)
			.mapToObj((index) -> policyLimit("policy-" + index / 3, index % 3))
			.toList();
		List<LimitCounters> counts = effective.stream().map(this.table::of).toList();
		assertThat(counts).doesNotHaveDuplicates();
		assertThat(effective).map(this.table::of).isEqualTo(counts);
	}

	@Test
	void keepsCountersOfOneHashApart() {
		assertThat("Aa").hasSameHashCodeAs("BB");
		assertThat(this.table.of(policyLimit("Aa", 0))).isNotSameAs(this.table.of(policyLimit("BB", 0)));
	}

	@Test
	void returnsTheSameCountsToPoliciesThatShareACounter() {
		LimitCounters counts = this.table.of(new PolicyLimit("one", "bucket", 0, LIMIT, 0));
		assertThat(this.table.of(new PolicyLimit("other", "bucket", 0, LIMIT.withBurst(5), 1))).isSameAs(counts);
	}

	private static PolicyLimit policyLimit(String bucket, int position) {
		return new PolicyLimit(bucket, bucket, position, LIMIT, 0);
	}

}
