package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CrossSlotExecutorTests {

	private final RateLimitStoreException failure = new RateLimitStoreException("failed", Kind.OPEN, null);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);

	private final List<PermitRequest> first = permit("a-first");

	private final List<PermitRequest> last = permit("b-last");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void refundsTheSlotsBeforeTheOneThatFails(boolean atOnce) {
		CrossSlotExecutor executor = new CrossSlotExecutor((request) -> request.permits().equals(this.last)
				? failed(atOnce) : CompletableFuture.completedFuture(this.store.execute(request)));
		CompletionStage<Decision> decision = executor
			.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.and(this.last, this.first)));
		assertThat(decision).isCompletedExceptionally();
		assertThat(decision.handle((decided, failure) -> RedisFailures.of(failure)).toCompletableFuture().join())
			.isSameAs(this.failure);
		assertThat(remaining(this.first)).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failsWithTheFirstFailureEvenIfTheRefundFails(boolean atOnce) {
		CrossSlotExecutor executor = new CrossSlotExecutor(
				(request) -> (request.permits().equals(this.last) || request.operation() == StoreOperation.REFUND)
						? failed(atOnce) : CompletableFuture.completedFuture(this.store.execute(request)));
		CompletionStage<Decision> decision = executor
			.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.and(this.first, this.last)));
		assertThat(decision.handle((decided, failure) -> RedisFailures.of(failure)).toCompletableFuture().join())
			.isSameAs(this.failure);
		assertThat(remaining(this.first)).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(names = { "REFUND", "CHARGE" })
	void reachesTheSlotsAfterOneThatFails(StoreOperation operation) {
		this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, this.last));
		CrossSlotExecutor executor = new CrossSlotExecutor((request) -> request.permits().get(0).key().equals("a-first")
				? failed(true) : CompletableFuture.completedFuture(this.store.execute(request)));
		List<PermitRequest> permits = PermitRequests.and(this.first, this.last)
			.stream()
			.map((permit) -> (operation == StoreOperation.REFUND) ? permit.refund(1, 1_000_000) : permit)
			.toList();
		CompletionStage<Decision> decision = executor.execute(new StoreRequest(operation, permits));
		assertThat(decision.handle((decided, failure) -> RedisFailures.of(failure)).toCompletableFuture().join())
			.isSameAs(this.failure);
		assertThat(remaining(this.last)).isEqualTo((operation == StoreOperation.REFUND) ? 3 : 1);
	}

	@Test
	void refundsTheOtherSlotsIfTheRefundOfOneFails() {
		List<PermitRequest> middle = permit("a-middle");
		CrossSlotExecutor executor = new CrossSlotExecutor((request) -> {
			boolean fails = request.permits().get(0).key().equals("b-last")
					|| (request.operation() == StoreOperation.REFUND
							&& request.permits().get(0).key().equals("a-first"));
			return fails ? failed(false) : CompletableFuture.completedFuture(this.store.execute(request));
		});
		assertThat(executor.execute(new StoreRequest(StoreOperation.ACQUIRE,
				PermitRequests.and(PermitRequests.and(this.first, middle), this.last))))
			.isCompletedExceptionally();
		assertThat(remaining(this.first)).isEqualTo(2);
		assertThat(remaining(middle)).isEqualTo(3);
	}

	/** The nodes of a cluster have clocks of their own, which refunds need. */
	@Test
	void keepsTheTimeOfEachSlot() {
		CrossSlotExecutor executor = new CrossSlotExecutor((request) -> {
			MemoryRateLimitStore node = new MemoryRateLimitStore(100,
					() -> request.permits().equals(this.first) ? 1_000_000 : 2_000_000);
			return CompletableFuture.completedFuture(node.execute(request));
		});
		Decision decision = executor
			.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.and(this.last, this.first)))
			.toCompletableFuture()
			.join();
		assertThat(decision.storeTimeMicros(0)).isEqualTo(2_000_000);
		assertThat(decision.storeTimeMicros(1)).isEqualTo(1_000_000);
	}

	private long remaining(List<PermitRequest> permits) {
		LimitDecision limit = this.store.execute(new StoreRequest(StoreOperation.PEEK, permits)).limits().get(0);
		return limit.remaining();
	}

	private CompletionStage<Decision> failed(boolean atOnce) {
		if (atOnce) {
			throw this.failure;
		}
		return CompletableFuture.failedFuture(this.failure);
	}

	private static List<PermitRequest> permit(String key) {
		return PermitRequests.of("p", List.of(Limit.parse("3/1h", Algorithm.TOKEN_BUCKET)), key, 1);
	}

}
