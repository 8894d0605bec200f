package io.github.ratelimit.autoconfigure.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Revision;
import io.github.ratelimit.spring.redis.driver.ConnectedStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A control store in Redis. It keeps three keys in one slot: a hash of the controls, and
 * sorted sets of their revisions and ends. A revision is Redis' time of the change, or
 * higher than all that this instance has seen.
 */
final class RedisControlStore extends ConnectedStore implements ControlStore {

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> SINCE = script("controls-since.lua", List.class);

	private static final RedisScript<Long> CHANGE = script("controls-change.lua", Long.class);

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> RESTORE = script("controls-restore.lua", List.class);

	private static final String NEVER = "inf";

	private final StringRedisTemplate redis;

	private final RedisConnectionFactory connections;

	private final List<String> keys;

	private final AtomicLong newest = new AtomicLong();

	RedisControlStore(RedisConnectionFactory connections, String prefix) {
		this.connections = connections;
		this.redis = new StringRedisTemplate(connections);
		this.keys = List.of(prefix + ":1:{controls}", prefix + ":1:{controls}:revisions",
				prefix + ":1:{controls}:ends");
	}

	@Override
	public Changes since(Revision known, boolean all) {
		List<?> reply = run(SINCE, arguments(known, all ? "1" : "0").toArray());
		Map<String, Long> newest = new HashMap<>();
		pairs(reply.get(2)).forEach((id, number) -> newest.put(id, number(number)));
		Revision revision = new Revision(text(reply, 0), number(reply.get(1)), newest);
		this.newest.accumulateAndGet(revision.number(), Math::max);
		return new Changes(revision, Instant.EPOCH.plus(number(reply.get(3)), ChronoUnit.MICROS),
				number(reply.get(4)) == 1, number(reply.get(5)) == 1, pairs(reply.get(7)),
				((List<?>) reply.get(6)).stream().map(Object::toString).toList());
	}

	/** Returns what tells the store a known revision, with another argument. */
	private static List<String> arguments(Revision known, String other) {
		List<String> arguments = new ArrayList<>(List.of(known.generation(), Long.toString(known.number()), other));
		known.newest().forEach((id, number) -> arguments.addAll(List.of(id, Long.toString(number))));
		return arguments;
	}

	@Override
	public boolean put(String id, String text, @Nullable Instant until) {
		return change(id, text, end(until)) == 1;
	}

	@Override
	public void remove(String id) {
		change(id, "", NEVER);
	}

	private long change(String id, String text, String end) {
		return run(CHANGE, id, text, end, Integer.toString(MOST), Long.toString(this.newest.get()));
	}

	@Override
	public Restored restore(Revision known, Map<String, Text> controls) {
		List<String> arguments = arguments(known, Integer.toString(known.newest().size()));
		controls.forEach((id, control) -> arguments.addAll(List.of(id, control.text(), end(control.until()))));
		List<?> reply = run(RESTORE, arguments.toArray());
		return new Restored(number(reply.get(0)), number(reply.get(1)));
	}

	@Override
	protected void allowConnections() {
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.start();
		}
	}

	@Override
	protected void closeConnections() {
		if (this.connections instanceof DedicatedConnectionFactory dedicated) {
			dedicated.stop();
		}
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

	private static String end(@Nullable Instant until) {
		return (until != null) ? Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, until)) : NEVER;
	}

	private static Map<String, String> pairs(Object reply) {
		List<?> values = (List<?>) reply;
		Map<String, String> pairs = new HashMap<>();
		for (int i = 0; i + 1 < values.size(); i += 2) {
			pairs.put(text(values, i), text(values, i + 1));
		}
		return pairs;
	}

	private static String text(List<?> reply, int index) {
		return String.valueOf(reply.get(index));
	}

	private static long number(Object value) {
		return Long.parseLong(value.toString());
	}

	private static <T> RedisScript<T> script(String name, Class<T> type) {
		return RedisScript.of(resource("controls.lua") + resource(name), type);
	}

	private static String resource(String name) {
		try {
			return new ClassPathResource(name, RedisControlStore.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
