package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.github.ratelimit.spring.top.TopExchange;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * An exchange in Redis. For each policy it keeps a set of the instances and, for each of
 * them, a report that expires.
 */
final class RedisTopExchange implements TopExchange {

	private static final Duration LIFETIME = Duration.ofSeconds(30);

	private final String instance = UUID.randomUUID().toString();

	private final StringRedisTemplate redis;

	private final String prefix;

	RedisTopExchange(RedisConnectionFactory connections, String prefix) {
		this.redis = new StringRedisTemplate(connections);
		this.prefix = prefix + ":1:{top}:";
	}

	@Override
	public void publish(String policy, String report) {
		this.redis.opsForValue().set(key(policy, this.instance), report, LIFETIME);
		this.redis.opsForSet().add(this.prefix + policy, this.instance);
		this.redis.expire(this.prefix + policy, LIFETIME);
	}

	@Override
	public Collection<String> others(String policy) {
		Set<String> instances = Objects.requireNonNullElse(this.redis.opsForSet().members(this.prefix + policy),
				Set.of());
		List<String> others = instances.stream().filter((instance) -> !instance.equals(this.instance)).toList();
		return others.isEmpty() ? List.of() : reports(policy, others);
	}

	/** Returns the reports that have not expired, and forgets other instances. */
	private Collection<String> reports(String policy, List<String> instances) {
		List<String> reports = Objects.requireNonNullElse(
				this.redis.opsForValue().multiGet(instances.stream().map((instance) -> key(policy, instance)).toList()),
				List.of());
		Object[] gone = IntStream.range(0, reports.size())
			.filter((index) -> reports.get(index) == null)
			.mapToObj(instances::get)
			.toArray();
		if (gone.length > 0) {
			this.redis.opsForSet().remove(this.prefix + policy, gone);
		}
		return reports.stream().filter(Objects::nonNull).toList();
	}

	private String key(String policy, String instance) {
		return this.prefix + policy + ':' + instance;
	}

}
