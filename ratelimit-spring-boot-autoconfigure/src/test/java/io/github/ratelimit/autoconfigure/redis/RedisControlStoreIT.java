package io.github.ratelimit.autoconfigure.redis;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlStoreContract;
import io.github.ratelimit.spring.redis.TestConnections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisControlStoreIT extends ControlStoreContract {

	private static final RedisProcess REDIS = RedisProcess.start();

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce(REDIS);

	@AfterAll
	static void stop() {
		CONNECTIONS.destroy();
		REDIS.close();
	}

	@BeforeEach
	void empty() {
		REDIS.commands().flushall();
	}

	@Override
	protected ControlStore store() {
		return new RedisControlStore(CONNECTIONS, "test");
	}

	@Override
	protected boolean tryLose() {
		REDIS.commands().flushall();
		return true;
	}

}
