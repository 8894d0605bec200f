package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the bound on detached reservations in memory.
 */
class MemoryDetachedReservationsTests {

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final MemoryDetachedReservations reservations = new MemoryDetachedReservations(2, this.clock::get,
			(request) -> {
			});

	@Test
	void dropsTheOneThatEndsFirstIfThereAreTooMany() {
		byte[] longest = keep(3000);
		byte[] shortest = keep(1000);
		byte[] last = keep(2000);
		assertThat(settle(shortest)).isEqualTo(Settlement.UNKNOWN);
		assertThat(settle(longest)).isEqualTo(Settlement.SETTLED);
		assertThat(settle(last)).isEqualTo(Settlement.SETTLED);
	}

	@Test
	void makesRoomOnceTheTimeIsOver() {
		byte[] first = keep(1000);
		byte[] second = keep(2000);
		this.clock.addAndGet(1000);
		byte[] third = keep(3000);
		assertThat(settle(first)).isEqualTo(Settlement.EXPIRED);
		assertThat(settle(second)).isEqualTo(Settlement.SETTLED);
		assertThat(settle(third)).isEqualTo(Settlement.SETTLED);
	}

	private byte[] keep(long life) {
		DetachedCharge charge = new DetachedCharge("policy", "a", "a", 1, 1, 1, 1, List.of());
		return this.reservations.keep(charge, life, false).toCompletableFuture().join();
	}

	private Settlement settle(byte[] place) {
		return this.reservations.settle(place, (charge) -> charge.correctedTo(0)).toCompletableFuture().join();
	}

}
