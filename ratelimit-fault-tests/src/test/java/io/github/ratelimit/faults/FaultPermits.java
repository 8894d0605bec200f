package io.github.ratelimit.faults;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * The permits that tests of faults acquire. They do not come back while a test lasts, so
 * that charges can be counted exactly.
 */
final class FaultPermits {

	/** More than any test can spend. */
	static final long PERMITS = 1_000_000;

	/** The number of keys that a load charges in turn. */
	static final int KEYS = 500;

	private static final List<Limit> ONE_LIMIT = List.of(limit("100d"));

	private static final List<Limit> TWO_LIMITS = List.of(limit("100d"), limit("200d"));

	private FaultPermits() {
	}

	static List<PermitRequest> one(String key) {
		return of(key, 1);
	}

	/** Returns permits of two limits, which are two keys of Redis. */
	static List<PermitRequest> onTwoLimits(String key, long cost) {
		return PermitRequests.of("faults-2", TWO_LIMITS, key, cost);
	}

	/** Returns the charges of all keys of a load. */
	static long charged(RateLimitStore store) {
		return IntStream.range(0, KEYS).mapToLong((key) -> charged(store, "key-" + key)).sum();
	}

	/** Returns the charges of a key. */
	static long charged(RateLimitStore store, String key) {
		return charged(store, of(key, 0));
	}

	static long charged(RateLimitStore store, List<PermitRequest> nothing) {
		return PERMITS - store.execute(new StoreRequest(StoreOperation.ACQUIRE, nothing)).limits().get(0).remaining();
	}

	private static List<PermitRequest> of(String key, long cost) {
		return PermitRequests.of("faults", ONE_LIMIT, key, cost);
	}

	private static Limit limit(String period) {
		return Limit.of(Algorithm.FIXED_WINDOW, Rate.parse(PERMITS + "/" + period));
	}

}
