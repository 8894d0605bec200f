package io.github.ratelimit.detached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which reservations need a timer, and of what it does.
 */
class DetachmentsTests {

	private static final TokenTerms STAYING = TokenTerms.expiringAfter(Duration.ofMinutes(1));

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	private final List<String> corrections = new ArrayList<>();

	private final List<CompletableFuture<Void>> timers = new ArrayList<>();

	private final PermitRequest permit = new PermitRequest(
			new PolicyLimit("plain", "plain", 0, Limit.parse("10/1d fixed-window"), 0), "a", 4, 0);

	@Test
	void needsNoTimerForReservationsThatStayCharged() {
		Detachments detachments = detachments();
		join(detachments.settle(detach(detachments, STAYING), (charge) -> 0));
		assertThat(this.timers).isEmpty();
	}

	@Test
	void refundsByATimer() {
		detach(detachments(), STAYING.refundingUnsettled());
		assertThat(remaining()).isEqualTo(6);
		this.clock.addAndGet(Duration.ofMinutes(1).toNanos() / 1000);
		assertThat(remaining()).isEqualTo(6);
		this.timers.get(0).complete(null);
		assertThat(remaining()).isEqualTo(10);
		assertThat(this.timers).hasSize(1);
		assertThat(this.corrections).containsExactly("alice -4");
	}

	@Test
	void startsTheTimerOnceTheStoreHasKeptTheCharge() {
		CompletableFuture<byte[]> kept = new CompletableFuture<>();
		CompletionStage<String> token = detachments(new SlowStore(kept)).detach(false, STAYING.refundingUnsettled(),
				() -> List.of(charge()));
		assertThat(this.timers).isEmpty();
		kept.complete(new byte[] { 1 });
		assertThat(this.timers).hasSize(1);
		assertThat(join(token)).isNotEmpty();
	}

	@Test
	void refundsByTheTimerOfAnotherThatHasSettledOne() {
		Detachments crashed = detachments();
		detach(crashed, STAYING.refundingUnsettled());
		String settled = detach(crashed, STAYING.refundingUnsettled());
		crashed.close();
		assertThat(this.timers).hasSize(1).allMatch(CompletableFuture::isCancelled);
		assertThat(join(detachments().settle(settled, DetachedCharge::cost))).isEqualTo(Settlement.SETTLED);
		this.timers.get(1).complete(null);
		assertThat(remaining()).isEqualTo(2);
		this.clock.addAndGet(Duration.ofMinutes(1).toNanos() / 1000);
		this.timers.get(2).complete(null);
		assertThat(remaining()).isEqualTo(6);
	}

	private Detachments detachments() {
		return detachments(this.store);
	}

	private Detachments detachments(RateLimitStore store) {
		return new Detachments(store, new MemoryRateLimitStore(1000, this.clock::get),
				(charge, difference) -> this.corrections.add(charge.notified() + " " + difference), (micros) -> {
					this.timers.add(new CompletableFuture<>());
					return this.timers.get(this.timers.size() - 1);
				});
	}

	private String detach(Detachments detachments, TokenTerms terms) {
		this.store.execute(StoreRequest.of(StoreOperation.ACQUIRE, this.permit));
		return join(detachments.detach(false, terms, () -> List.of(charge())));
	}

	private DetachedCharge charge() {
		return new DetachedCharge("plain", "a", "alice", 1, 4, 4, 4, List.of(this.permit.refund(4, this.clock.get())));
	}

	private long remaining() {
		return this.store.execute(StoreRequest.of(StoreOperation.PEEK, this.permit.costing(0)))
			.limits()
			.get(0)
			.remaining();
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	/**
	 * A store that takes a while to keep a charge.
	 *
	 * @param kept completes when it has
	 */
	private record SlowStore(CompletableFuture<byte[]> kept) implements RateLimitStore, DetachedReservations {

		@Override
		public String name() {
			return "slow";
		}

		@Override
		public Decision execute(StoreRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Decision> executeAsync(StoreRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public DetachedReservations detachedReservations() {
			return this;
		}

		@Override
		public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
			return this.kept;
		}

		@Override
		public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
			throw new UnsupportedOperationException();
		}

	}

}
