package io.github.ratelimit.autoconfigure.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A control store in Redis. It keeps three keys in one slot: a hash of the controls, and
 * sorted sets of their revisions and ends. A revision is Redis' time of the change.
 */
final class RedisControlStore implements ControlStore {

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> SINCE = script("controls-since.lua", List.class);

	private static final RedisScript<Long> CHANGE = script("controls-change.lua", Long.class);

	private static final String NEVER = "inf";

	private final StringRedisTemplate redis;

	private final RedisConnectionFactory connections;

	private final List<String> keys;

	RedisControlStore(RedisConnectionFactory connections, String prefix) {
		this.connections = connections;
		this.redis = new StringRedisTemplate(connections);
		this.keys = List.of(prefix + ":1:{controls}", prefix + ":1:{controls}:revisions",
				prefix + ":1:{controls}:ends");
	}

	@Override
	public Changes since(long revision) {
		List<?> reply = run(SINCE, Long.toString(revision));
		Map<String, String> texts = new HashMap<>();
		for (int i = 3; i + 1 < reply.size(); i += 2) {
			texts.put(reply.get(i).toString(), reply.get(i + 1).toString());
		}
		return new Changes(number(reply.get(0)), Instant.EPOCH.plus(number(reply.get(1)), ChronoUnit.MICROS),
				number(reply.get(2)) == 1, texts);
	}

	@Override
	public boolean put(String id, String text, @Nullable Instant until) {
		String end = (until != null) ? Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, until)) : NEVER;
		return run(CHANGE, id, text, end, Integer.toString(MOST)) == 1;
	}

	@Override
	public void remove(String id) {
		run(CHANGE, id, "", NEVER, Integer.toString(MOST));
	}

	@Override
	public void close() {
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.destroy();
		}
	}

	private <T> T run(RedisScript<T> script, Object... arguments) {
		try {
			return this.redis.execute(script, this.keys, arguments);
		}
		catch (RuntimeException ex) {
			throw RedisFailures.of(ex);
		}
	}

	private static long number(Object value) {
		return Long.parseLong(value.toString());
	}

	private static <T> RedisScript<T> script(String name, Class<T> type) {
		return RedisScript.of(new ClassPathResource(name, RedisControlStore.class), type);
	}

}
