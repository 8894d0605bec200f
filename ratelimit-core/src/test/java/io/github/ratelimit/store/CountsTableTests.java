package io.github.ratelimit.store;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CountsTableTests {

	private static final Limit LIMIT = Limit.parse("10/1s", Algorithm.TOKEN_BUCKET);

	private final CountsTable table = new CountsTable();

	@Test
	void keepsTheCountsOfEveryLimitApartAndFindsThemAgain() {
		List<Clause> clauses = IntStream.range(0, 1000)
			.mapToObj((index) -> clause("policy-" + index / 3, index % 3))
			.toList();
		List<Counts> counts = clauses.stream().map(this.table::of).toList();
		assertThat(counts).doesNotHaveDuplicates();
		assertThat(clauses).map(this.table::of).isEqualTo(counts);
	}

	@Test
	void keepsBucketsOfOneHashApart() {
		assertThat("Aa").hasSameHashCodeAs("BB");
		assertThat(this.table.of(clause("Aa", 0))).isNotSameAs(this.table.of(clause("BB", 0)));
	}

	@Test
	void answersPoliciesThatShareABucketTheSameCounts() {
		Counts counts = this.table.of(new Clause("one", "bucket", 0, LIMIT, 0));
		assertThat(this.table.of(new Clause("other", "bucket", 0, LIMIT.withBurst(5), 1))).isSameAs(counts);
	}

	private static Clause clause(String bucket, int position) {
		return new Clause(bucket, bucket, position, LIMIT, 0);
	}

}
