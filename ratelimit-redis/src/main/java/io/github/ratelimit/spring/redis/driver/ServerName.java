package io.github.ratelimit.spring.redis.driver;

import java.util.Collection;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** The name of a Redis in logs: its addresses, without credentials. */
public final class ServerName {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			ServerName.class.getClassLoader());

	private ServerName() {
	}

	/** Returns the name of the Redis that connections lead to. */
	public static String of(RedisConnectionFactory connections) {
		if (connections instanceof LettuceConnectionFactory lettuce) {
			return of(lettuce);
		}
		return (JEDIS && connections instanceof JedisConnectionFactory jedis)
				? of(jedis.getSentinelConfiguration(), jedis.getClusterConfiguration(), at(jedis)) : "Redis";
	}

	private static String of(LettuceConnectionFactory lettuce) {
		String alone = (lettuce.getSocketConfiguration() != null) ? lettuce.getSocketConfiguration().getSocket()
				: lettuce.getHostName() + ':' + lettuce.getPort();
		return of(lettuce.getSentinelConfiguration(), lettuce.getClusterConfiguration(), alone);
	}

	private static String at(JedisConnectionFactory jedis) {
		return jedis.getHostName() + ':' + jedis.getPort();
	}

	private static String of(@Nullable RedisSentinelConfiguration sentinel, @Nullable RedisClusterConfiguration cluster,
			String alone) {
		if (sentinel != null) {
			return "Redis by the sentinels " + addresses(sentinel.getSentinels());
		}
		return (cluster != null) ? "Redis Cluster at " + addresses(cluster.getClusterNodes()) : "Redis at " + alone;
	}

	private static String addresses(Collection<RedisNode> nodes) {
		return nodes.stream().map((node) -> node.getHost() + ':' + node.getPort()).collect(Collectors.joining(", "));
	}

}
