package io.github.ratelimit.detached;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the timer of refunds.
 */
class UnsettledRefundsTests {

	private final List<Timer> timers = new ArrayList<>();

	private final Store store = new Store();

	private final UnsettledRefunds refunds = new UnsettledRefunds(this.store, (micros) -> {
		this.timers.add(new Timer(micros, new CompletableFuture<>()));
		return this.timers.get(this.timers.size() - 1).over;
	}, (refunded) -> {
	});

	@Test
	void looksAgainAsLongAsRefundsAreExpected() {
		this.refunds.within(1000);
		this.store.next = OptionalLong.of(500_000);
		complete(0);
		assertThat(this.store.looks).isOne();
		assertThat(this.timers.get(1).micros).isEqualTo(500_000);
		this.store.next = OptionalLong.empty();
		complete(1);
		assertThat(this.store.looks).isEqualTo(2);
		assertThat(this.timers).hasSize(2);
	}

	@Test
	void looksAtTheEarliestTimeOnly() {
		this.refunds.within(60_000_000);
		this.refunds.within(120_000_000);
		assertThat(this.timers).hasSize(1);
		this.refunds.within(30_000_000);
		assertThat(this.timers).hasSize(2);
		assertThat(this.timers.get(0).over).isCancelled();
	}

	@Test
	void looksAgainAfterAFailure() {
		this.refunds.within(1000);
		this.store.failing = true;
		complete(0);
		assertThat(this.timers.get(1).micros).isEqualTo(10_000_000);
		this.store.failing = false;
		complete(1);
		assertThat(this.store.looks).isEqualTo(2);
	}

	@Test
	void looksAgainAfterAnError() {
		this.refunds.within(1000);
		this.store.error = new NoClassDefFoundError("a/Driver");
		complete(0);
		assertThat(this.timers.get(1).micros).isEqualTo(10_000_000);
	}

	@Test
	void looksNoMoreOnceClosed() {
		this.refunds.within(1000);
		this.refunds.close();
		assertThat(this.timers.get(0).over).isCancelled();
		this.refunds.within(1000);
		assertThat(this.timers).hasSize(1);
		assertThat(this.store.looks).isZero();
	}

	private void complete(int timer) {
		this.timers.get(timer).over.complete(null);
	}

	private record Timer(long micros, CompletableFuture<Void> over) {

	}

	/** A store with refunds to expect. */
	private static final class Store implements DetachedReservations {

		private OptionalLong next = OptionalLong.empty();

		private boolean failing;

		private @Nullable Error error;

		private int looks;

		@Override
		public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
			this.looks++;
			if (this.error != null) {
				throw this.error;
			}
			if (this.failing) {
				throw new RateLimitStoreException("failing", null);
			}
			return CompletableFuture.completedFuture(this.next);
		}

	}

}
