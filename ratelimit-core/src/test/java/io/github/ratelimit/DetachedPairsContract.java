package io.github.ratelimit;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.ratelimit.DetachedRow.Meanwhile;
import io.github.ratelimit.DetachedRow.Settles;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract that a token leaves the same behind as the reservation itself, with all
 * pairs of features.
 */
public abstract class DetachedPairsContract {

	private static final Duration LIFE = Duration.ofMinutes(10);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	/**
	 * Creates a store.
	 * @param counts the name of its counts
	 * @return a store that shares its counts with others of the same name
	 */
	protected abstract RateLimitStore store(String counts);

	static Stream<DetachedRow> rows() {
		return DetachedRow.all();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void leavesTheSameAsTheReservation(DetachedRow row) {
		try (DetachedSide process = new DetachedSide(row, () -> store("process"));
				DetachedSide token = new DetachedSide(row, () -> store("token"))) {
			settle(process, reserved(process), row.settles());
			settleByToken(token, reserved(token));
			process.lift();
			token.lift();
			awaitEqual(process, token);
			assertThat(token.adjusted()).as(row.toString()).isEqualTo(process.adjusted());
			assertThat(token.left()).as(row.toString()).isEqualTo(process.left());
			assertThat(token.acquires()).as(row.toString()).isEqualTo(process.acquires());
			assertThat(token.left()).as(row.toString()).isEqualTo(process.left());
		}
	}

	/**
	 * Waits until a timer has refunded what was not settled, or a bucket has refilled
	 * what it refunds a little later on one side.
	 */
	private static void awaitEqual(DetachedSide process, DetachedSide token) {
		long start = System.nanoTime();
		while (!isEqual(process, token) && System.nanoTime() - start < LONGEST_WAIT.toNanos()) {
			Thread.onSpinWait();
		}
	}

	private static boolean isEqual(DetachedSide process, DetachedSide token) {
		return token.left().equals(process.left()) && token.adjusted().equals(process.adjusted());
	}

	/** Reserves, and lets happen what happens before the settlement. */
	private static Reservation reserved(DetachedSide side) {
		Reservation reservation = side.reserve();
		assertThat(reservation.decision().allowed()).isTrue();
		if (side.row().keys() == DetachedRow.Keys.PART) {
			side.adjust(reservation.perCharge().get(0), 1);
		}
		return reservation;
	}

	private static void settle(DetachedSide side, Reservation reservation, Settles settles) {
		side.happen();
		side.fail(false);
		switch (settles) {
			case REFUND, EXPIRES -> side.refund(reservation);
			case LESS, TWICE -> side.adjust(reservation, 1);
			case MORE -> side.adjust(reservation, 7);
			case SAME -> side.adjust(reservation, 4);
		}
	}

	private static void settleByToken(DetachedSide side, Reservation reservation) {
		if (side.row().settles() == Settles.EXPIRES) {
			side.detach(reservation, TokenTerms.expiringAfter(Duration.ofMillis(1)).refundingUnsettled());
			side.happen();
			return;
		}
		String token = side.detach(reservation, TokenTerms.expiringAfter(LIFE));
		side.happen();
		if (side.row().meanwhile() == Meanwhile.STORE_FAILS) {
			assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> settle(side, token));
			side.fail(false);
		}
		assertThat(settle(side, token)).isEqualTo(Settlement.SETTLED);
		if (side.row().settles() == Settles.TWICE) {
			assertThat(side.refund(token)).isEqualTo(Settlement.ALREADY_SETTLED);
		}
	}

	private static Settlement settle(DetachedSide side, String token) {
		return switch (side.row().settles()) {
			case REFUND -> side.refund(token);
			case LESS, TWICE -> side.adjust(token, 1);
			case MORE -> side.adjust(token, 7);
			case SAME -> side.adjust(token, 4);
			case EXPIRES -> throw new IllegalStateException();
		};
	}

}
