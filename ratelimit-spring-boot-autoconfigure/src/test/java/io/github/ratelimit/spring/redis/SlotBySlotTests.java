package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SlotBySlotTests {

	private final RateLimitStoreException failure = new RateLimitStoreException("failed", Kind.OPEN, null);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);

	private final List<Debit> first = debit("a-first");

	private final List<Debit> last = debit("b-last");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void givesBackWhatTheSlotsBeforeWereChargedWhereOneFails(boolean atOnce) {
		SlotBySlot slots = new SlotBySlot((operation, debits) -> debits.equals(this.last) ? failed(atOnce)
				: CompletableFuture.completedFuture(this.store.execute(operation, debits)));
		CompletionStage<Decision> decision = slots.execute(Operation.ACQUIRE, Debits.and(this.last, this.first));
		assertThat(decision).isCompletedExceptionally();
		assertThat(decision.handle((decided, failure) -> Failures.of(failure)).toCompletableFuture().join())
			.isSameAs(this.failure);
		assertThat(remaining(this.first)).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failsAsTheFirstFailureSaysThoughNothingCanBeGivenBack(boolean atOnce) {
		SlotBySlot slots = new SlotBySlot(
				(operation, debits) -> (debits.equals(this.last) || operation == Operation.GIVE_BACK) ? failed(atOnce)
						: CompletableFuture.completedFuture(this.store.execute(operation, debits)));
		CompletionStage<Decision> decision = slots.execute(Operation.ACQUIRE, Debits.and(this.first, this.last));
		assertThat(decision.handle((decided, failure) -> Failures.of(failure)).toCompletableFuture().join())
			.isSameAs(this.failure);
		assertThat(remaining(this.first)).isEqualTo(2);
	}

	private long remaining(List<Debit> debits) {
		LimitDecision limit = this.store.execute(Operation.PEEK, debits).limits().get(0);
		return limit.remaining();
	}

	private CompletionStage<Decision> failed(boolean atOnce) {
		if (atOnce) {
			throw this.failure;
		}
		return CompletableFuture.failedFuture(this.failure);
	}

	private static List<Debit> debit(String key) {
		return Debits.of("p", List.of(Limit.parse("3/1h", Algorithm.TOKEN_BUCKET)), key, 1);
	}

}
