package io.github.ratelimit.spring.consumption;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A sum of what the calls of one key have spent of one policy, on one instance and in one
 * interval. An instance may have several records of these, whose sum counts. Immutable.
 *
 * @param id the identifier of this record, the same at each delivery and unique among all
 * instances
 * @param from the start of the interval
 * @param until the end of the interval, which the next begins with
 * @param policy the policy's name
 * @param key the key or its digest; {@code null} for all keys together that are beyond
 * the most that are counted one by one
 * @param permits the permits that were spent. It is negative if calls of earlier
 * intervals were refunded more than calls of this one have spent
 * @param calls the number of admitted calls
 */
public record ConsumptionRecord(String id, Instant from, Instant until, String policy, @Nullable String key,
		long permits, long calls) {

}
