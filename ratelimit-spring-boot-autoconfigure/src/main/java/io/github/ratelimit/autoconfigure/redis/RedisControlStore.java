package io.github.ratelimit.autoconfigure.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> CHANGE = script("controls-change.lua", List.class);

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> RESTORE = script("controls-restore.lua", List.class);

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> PAGE = RedisScript.of(resource("controls-page.lua"), List.class);

	/** The most controls that are written at once. */
	private static final int PART = 250;

	/** The place of the first and after the last part of all controls. */
	private static final String FIRST = "0";

	private static final String NEVER = "inf";

	private final StringRedisTemplate redis;

	private final RedisConnectionFactory connections;

	private final List<String> keys;

	/** The name under which this instance writes back. */
	private final String instance = UUID.randomUUID().toString();

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
		return new Changes(revision, Instant.EPOCH.plus(number(reply.get(3)), ChronoUnit.MICROS), isSet(reply, 4),
				isSet(reply, 5), isSet(reply, 6) ? all() : pairs(reply.get(8)),
				((List<?>) reply.get(7)).stream().map(Object::toString).toList());
	}

	/**
	 * Reads all controls in parts. What changes meanwhile may be among them or not, and
	 * is a change after the revision that was read before.
	 */
	private Map<String, String> all() {
		Map<String, String> all = new HashMap<>();
		String from = FIRST;
		do {
			List<?> part = run(PAGE, from);
			all.putAll(pairs(part.get(1)));
			from = text(part, 0);
		}
		while (!from.equals(FIRST));
		all.keySet().removeIf((id) -> id.startsWith(":"));
		return all;
	}

	/** Returns what tells the store a known revision, with another argument. */
	private static List<String> arguments(Revision known, String other) {
		List<String> arguments = new ArrayList<>(List.of(known.generation(), Long.toString(known.number()), other));
		known.newest().forEach((id, number) -> arguments.addAll(List.of(id, Long.toString(number))));
		return arguments;
	}

	@Override
	public Set<String> put(Map<String, Text> controls) {
		Set<String> refused = new HashSet<>();
		for (List<String> part : parts(List.copyOf(controls.keySet()))) {
			change(triplets(part, controls)).forEach((id) -> refused.add(id.toString()));
		}
		return refused;
	}

	@Override
	public void remove(String id) {
		change(List.of(id, "", NEVER));
	}

	private List<?> change(List<String> triplets) {
		List<String> arguments = new ArrayList<>(List.of(Integer.toString(MOST), Long.toString(this.newest.get())));
		arguments.addAll(triplets);
		return run(CHANGE, arguments.toArray());
	}

	private static List<List<String>> parts(List<String> ids) {
		return IntStream.iterate(0, (from) -> from < ids.size(), (from) -> from + PART)
			.mapToObj((from) -> ids.subList(from, Math.min(from + PART, ids.size())))
			.toList();
	}

	/** Returns the identifiers, texts and ends of controls. */
	private static List<String> triplets(Collection<String> ids, Map<String, Text> controls) {
		return ids.stream().flatMap((id) -> {
			Text control = Objects.requireNonNull(controls.get(id));
			return Stream.of(id, control.text(), end(control.until()));
		}).toList();
	}

	/**
	 * Writes back in parts, so that none holds Redis for long. The newest changes are the
	 * last.
	 */
	@Override
	public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
		Map<String, Text> newest = new HashMap<>();
		Iterator<Map.Entry<String, Text>> each = controls.iterator();
		while (each.hasNext()) {
			if (!isSet(restore(known, "0", part(each, known, newest)), 0)) {
				return Restored.NOTHING;
			}
		}
		List<?> reply;
		do {
			reply = restore(known, "1", newest);
		}
		while (isSet(reply, 0));
		return new Restored(number(reply.get(1)), number(reply.get(2)));
	}

	private static Map<String, Text> part(Iterator<Map.Entry<String, Text>> each, Revision known,
			Map<String, Text> newest) {
		Map<String, Text> part = new HashMap<>();
		while (part.size() < PART && each.hasNext()) {
			Map.Entry<String, Text> control = each.next();
			(known.newest().containsKey(control.getKey()) ? newest : part).put(control.getKey(), control.getValue());
		}
		return part;
	}

	private List<?> restore(Revision known, String last, Map<String, Text> part) {
		List<String> arguments = arguments(known, Integer.toString(known.newest().size()));
		arguments.addAll(List.of(this.instance, last));
		arguments.addAll(triplets(part.keySet(), part));
		return run(RESTORE, arguments.toArray());
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

	private static boolean isSet(List<?> reply, int index) {
		return number(reply.get(index)) == 1;
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
