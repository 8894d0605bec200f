package io.github.ratelimit.store.memory;

import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.store.PolicyLimit;

/**
 * The counters of one limit of a policy. Keys are comparable, so lookups stay fast even
 * if callers provoke hash collisions.
 *
 * @param name the name under which the policy's counts are kept
 * @param periodMicros the period of the limit
 * @param position the limit's position among those with its period
 * @param counters the counters by key
 * @param sharedCounters the shared counters by number
 */
record LimitCounters(String name, long periodMicros, int position, ConcurrentHashMap<String, Counter> counters,
		ConcurrentHashMap<String, Counter> sharedCounters) {

	LimitCounters(PolicyLimit policyLimit) {
		this(policyLimit.counter(), policyLimit.limit().periodMicros(), policyLimit.position(),
				new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
	}

	boolean areOf(String name, long periodMicros, int position) {
		return this.periodMicros == periodMicros && this.position == position && this.name.equals(name);
	}

}
