package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.spring.top.TopExchange;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * An exchange in Redis. It keeps a set of the instances and, for each of them, a hash of
 * its reports by policies, which expires. It sends only what has changed, as there may be
 * many policies.
 */
final class RedisTopExchange implements TopExchange {

	private static final Duration LIFETIME = Duration.ofSeconds(30);

	/** The most reports that are written at once, each of up to 2 KB. */
	private static final int PART = 100;

	private static final RedisScript<Long> PUBLISH = RedisScript
		.of(new ClassPathResource("top-publish.lua", RedisTopExchange.class), Long.class);

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> OTHERS = RedisScript
		.of(new ClassPathResource("top-others.lua", RedisTopExchange.class), List.class);

	private final String instance = UUID.randomUUID().toString();

	private final StringRedisTemplate redis;

	private final String instances;

	/** The reports that Redis has. */
	private Map<String, String> sent = Map.of();

	RedisTopExchange(RedisConnectionFactory connections, String prefix) {
		this.redis = new StringRedisTemplate(connections);
		this.instances = prefix + ":1:{top}";
	}

	@Override
	public synchronized void publish(Map<String, String> reports) {
		Map<String, String> changed = new HashMap<>(reports);
		changed.entrySet().removeAll(this.sent.entrySet());
		this.sent.keySet()
			.stream()
			.filter((policy) -> !reports.containsKey(policy))
			.forEach((policy) -> changed.put(policy, ""));
		boolean kept = !this.sent.isEmpty() && send(changed, false);
		this.sent = Map.of();
		if (!kept) {
			send(reports, true);
			forgetGone();
		}
		this.sent = Map.copyOf(reports);
	}

	private boolean send(Map<String, String> reports, boolean all) {
		List<String> policies = List.copyOf(reports.keySet());
		int from = 0;
		boolean kept = true;
		do {
			List<String> arguments = new ArrayList<>(
					List.of(this.instance, Long.toString(LIFETIME.toMillis()), (all && from == 0) ? "1" : "0"));
			policies.subList(from, Math.min(from + PART, policies.size()))
				.forEach((policy) -> arguments.addAll(List.of(policy, reports.getOrDefault(policy, ""))));
			kept = Long.valueOf(1)
				.equals(this.redis.execute(PUBLISH, List.of(this.instances, key(this.instance)), arguments.toArray()));
			from += PART;
		}
		while (kept && from < policies.size());
		return kept;
	}

	/** Forgets the instances that are gone, as maybe no instance reads reports. */
	private void forgetGone() {
		others("");
	}

	@Override
	public Collection<String> others(String policy) {
		Set<String> instances = Objects.requireNonNullElse(this.redis.opsForSet().members(this.instances), Set.of());
		List<String> others = instances.stream().filter((instance) -> !instance.equals(this.instance)).toList();
		List<String> keys = Stream.concat(Stream.of(this.instances), others.stream().map(this::key)).toList();
		List<?> reports = others.isEmpty() ? List.of()
				: this.redis.execute(OTHERS, keys, Stream.concat(Stream.of(policy), others.stream()).toArray());
		return reports.stream().map(Object::toString).toList();
	}

	private String key(String instance) {
		return this.instances + ':' + instance;
	}

}
