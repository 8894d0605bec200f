package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.redis.RedisProcess;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Memory that Redis uses for a caller, by its own {@code MEMORY USAGE} of all keys.
 *
 * @param redis where the counts live
 */
record KeyMemory(RedisProcess redis) {

	List<Footprint> of(List<Contender> contenders) {
		return contenders.stream().map(this::footprint).toList();
	}

	private Footprint footprint(Contender contender) {
		RedisCommands<String, String> commands = this.redis.commands();
		commands.flushall();
		contender.prepare(Scenario.REMEMBERED);
		Scenario.REMEMBERED.keys().forEach((key) -> acquire(contender, key));
		double callers = Scenario.REMEMBERED.keys().size();
		List<String> keys = commands.keys("*");
		long bytes = keys.stream().mapToLong(commands::memoryUsage).sum();
		return new Footprint(contender.name(), keys.size() / callers, bytes / callers);
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
