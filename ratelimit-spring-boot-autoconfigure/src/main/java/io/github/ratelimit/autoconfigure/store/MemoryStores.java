package io.github.ratelimit.autoconfigure.store;

import java.time.InstantSource;

import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Memory;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The stores of an instance that is alone.
 *
 * @param properties the configuration of the memory store
 */
record MemoryStores(Memory properties) implements Stores {

	@Override
	public String place() {
		return "in memory, by each instance on its own";
	}

	@Override
	public @Nullable String connection() {
		return null;
	}

	@Override
	public MemoryRateLimitStore counts() {
		DataSize maxLogSize = this.properties.maxLogSize();
		requireOne("ratelimit.memory.max-keys", this.properties.maxKeys());
		if (maxLogSize == null) {
			return new MemoryRateLimitStore(this.properties.maxKeys());
		}
		requireOne("ratelimit.memory.max-log-size", maxLogSize.toBytes());
		return new MemoryRateLimitStore(this.properties.maxKeys(), maxLogSize.toBytes());
	}

	@Override
	public ControlStore controls() {
		return new MemoryControlStore(InstantSource.system());
	}

	@Override
	public TopExchange topExchange() {
		return TopExchange.NONE;
	}

	private static void requireOne(String property, long value) {
		PropertyRange.require(value >= 1, property, "be at least 1", value);
	}

}
