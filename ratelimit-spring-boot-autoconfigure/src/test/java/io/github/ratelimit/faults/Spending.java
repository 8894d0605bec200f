package io.github.ratelimit.faults;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;

/**
 * What tests of faults ask for: permits that never come back while a test lasts, so that
 * what was charged can be told exactly.
 */
final class Spending {

	/** More than any test can spend. */
	static final long PERMITS = 1_000_000;

	/** How many keys a load charges in turn. */
	static final int KEYS = 500;

	private static final List<Limit> ONE_LIMIT = List.of(limit("100d"));

	private static final List<Limit> TWO_LIMITS = List.of(limit("100d"), limit("200d"));

	private Spending() {
	}

	static List<Debit> one(String key) {
		return of(key, 1);
	}

	/** Of two limits, and so two keys of Redis. */
	static List<Debit> onTwoLimits(String key, long cost) {
		return Debits.of("faults-2", TWO_LIMITS, key, cost);
	}

	/** What Redis has charged all keys of a load. */
	static long charged(RateLimitStore store) {
		return IntStream.range(0, KEYS).mapToLong((key) -> charged(store, "key-" + key)).sum();
	}

	/** What Redis has charged a key. */
	static long charged(RateLimitStore store, String key) {
		return charged(store, of(key, 0));
	}

	static long charged(RateLimitStore store, List<Debit> nothing) {
		return PERMITS - store.execute(Operation.ACQUIRE, nothing).limits().get(0).remaining();
	}

	private static List<Debit> of(String key, long cost) {
		return Debits.of("faults", ONE_LIMIT, key, cost);
	}

	private static Limit limit(String period) {
		return Limit.of(Algorithm.FIXED_WINDOW, Rate.parse(PERMITS + "/" + period));
	}

}
