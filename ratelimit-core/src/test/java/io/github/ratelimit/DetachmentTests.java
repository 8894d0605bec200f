package io.github.ratelimit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of detaching reservations that are not the store's, or cannot be.
 */
class DetachmentTests {

	private static final TokenTerms TERMS = TokenTerms.expiringAfter(Duration.ofMinutes(1));

	private static final List<Charge> CHARGES = List.of(new Charge("plain", "a", 4));

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final TestStore store = new TestStore(this.clock::get);

	private final Policies policies = new Policies(
			List.of(new Policy("plain", List.of(Limit.parse("10/1d fixed-window")), List.of("global"))));

	private final RateLimiter limiter = limiter();

	@Test
	void settlesWhatWasChargedLocallyInThisProcessOnly() {
		this.store.fail();
		String token = this.limiter.detach(this.limiter.reserve(CHARGES), TERMS);
		assertThat(limiter().refund(token)).isEqualTo(Settlement.UNKNOWN);
		assertThat(remaining()).isEqualTo(6);
		assertThat(this.limiter.refund(token)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining()).isEqualTo(10);
	}

	@Test
	void leavesTheReservationIfTheStoreKeepsNone() {
		Reservation reservation = this.limiter.reserve(CHARGES);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.limiter.detach(reservation, TERMS))
			.withMessage("The store 'test' keeps no detached reservations");
		this.limiter.refund(reservation);
		assertThat(remaining()).isEqualTo(10);
	}

	@Test
	void refusesMoreChargesThanATokenHolds() {
		RateLimiter inMemory = new RateLimiter(this.policies, new MemoryRateLimitStore(1000), List.of());
		Charge free = new Charge("plain", "a", 0);
		Reservation reservation = inMemory.reserve(Collections.nCopies(65, free));
		assertThatIllegalArgumentException().isThrownBy(() -> inMemory.detach(reservation, TERMS))
			.withMessage("'reservation' must have at most 64 charges, had 65");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.0009S", "P367D" })
	void refusesATimeOutOfBounds(Duration expiry) {
		assertThatIllegalArgumentException().isThrownBy(() -> TokenTerms.expiringAfter(expiry))
			.withMessage("'expiry' must be from 1ms to 366d, was " + expiry);
	}

	private long remaining() {
		return this.limiter.peek(List.of(new Charge("plain", "a", 0))).limits().get(0).remaining();
	}

	private RateLimiter limiter() {
		return new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1000, this.clock::get), List.of(),
				LimitOverrides.NONE);
	}

}
