package io.github.ratelimit.spring.redis;

import java.time.Duration;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis drivers of Spring Data Redis, and the connection of the limiter itself. */
enum Driver {

	LETTUCE {

		@Override
		ConnectedStore connect(int port, Duration timeout) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
			connections.afterPropertiesSet();
			connections.start();
			return connected(connections, timeout, connections::destroy);
		}

	},

	DEDICATED {

		@Override
		ConnectedStore connect(int port, Duration timeout) {
			RedisRateLimitStore store = RedisRateLimitStore.dedicated(new LettuceConnectionFactory("127.0.0.1", port),
					"test", timeout, Duration.ofMillis(500), "test:counts");
			return new ConnectedStore(store, store::close);
		}

	},

	JEDIS {

		@Override
		ConnectedStore connect(int port, Duration timeout) {
			JedisConnectionFactory connections = new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", port),
					JedisClientConfiguration.builder().connectTimeout(timeout).readTimeout(timeout).build());
			connections.afterPropertiesSet();
			connections.start();
			return connected(connections, timeout, connections::destroy);
		}

	};

	/** Creates a store on a connection factory of its own, which need not reach Redis. */
	abstract ConnectedStore connect(int port, Duration timeout);

	private static ConnectedStore connected(RedisConnectionFactory connections, Duration timeout, Runnable disconnect) {
		return new ConnectedStore(RedisRateLimitStore.on(connections, "test", timeout), disconnect);
	}

	record ConnectedStore(RedisRateLimitStore store, Runnable disconnect) implements AutoCloseable {

		@Override
		public void close() {
			this.disconnect.run();
		}

	}

}
