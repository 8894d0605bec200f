package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.redis.RedisProcess;

/**
 * What it takes Redis to remember a caller: the memory of many, divided by them. Redis
 * must not have served a load before, as the buffers of connections shrink for a while.
 *
 * @param redis where the counts live
 */
record KeyMemory(RedisProcess redis) {

	private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

	List<Footprint> of(List<Contender> contenders) {
		return contenders.stream().map(this::footprint).toList();
	}

	private Footprint footprint(Contender contender) {
		this.redis.commands().flushall();
		long before = used();
		contender.prepare(Scenario.REMEMBERED);
		Scenario.REMEMBERED.keys().forEach((key) -> acquire(contender, key));
		double callers = Scenario.REMEMBERED.keys().size();
		return new Footprint(contender.name(), this.redis.commands().dbsize() / callers, (used() - before) / callers);
	}

	private long used() {
		Matcher used = USED.matcher(this.redis.commands().info("memory"));
		if (!used.find()) {
			throw new IllegalStateException("Redis does not tell what memory it uses");
		}
		return Long.parseLong(used.group(1));
	}

	private static void acquire(Contender contender, String key) {
		try {
			contender.acquire(key);
		}
		catch (Exception ex) {
			throw new IllegalStateException(contender.name() + " failed", ex);
		}
	}

}
