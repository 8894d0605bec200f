package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;

/**
 * Exports a few files at a time.
 */
class Exports {

	private final RateLimiter limiter;

	Exports(RateLimiter limiter) {
		this.limiter = limiter;
	}

	String export(String tenant, Supplier<String> file) {
		Reservation reservation = this.limiter.reserve(List.of(Charge.of("exports", tenant)));
		if (!reservation.decision().allowed()) {
			throw new RateLimitExceededException(reservation.decision());
		}
		try {
			return file.get();
		}
		finally {
			this.limiter.release(reservation);
		}
	}

}
