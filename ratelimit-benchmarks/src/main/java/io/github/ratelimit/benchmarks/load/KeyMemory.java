package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.redis.RedisProcess;

/**
 * What it takes Redis to remember a caller: the memory of many, divided by them.
 *
 * @param redis where the counts live
 */
record KeyMemory(RedisProcess redis) {

	private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

	private static final Pattern CLIENTS = Pattern.compile("mem_clients_normal:(\\d+)");

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

	/** Without the buffers of connections, which come and go. */
	private long used() {
		String memory = this.redis.commands().info("memory");
		return number(USED, memory) - number(CLIENTS, memory);
	}

	private static long number(Pattern pattern, String info) {
		Matcher number = pattern.matcher(info);
		if (!number.find()) {
			throw new IllegalStateException("Redis does not tell what memory it uses");
		}
		return Long.parseLong(number.group(1));
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
