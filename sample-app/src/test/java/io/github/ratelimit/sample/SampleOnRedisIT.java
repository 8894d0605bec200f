package io.github.ratelimit.sample;

import java.util.stream.Stream;

import io.github.ratelimit.redis.TestRedis;
import org.junit.jupiter.api.Tag;

/**
 * Two samples that count in one Redis.
 */
@Tag("long")
class SampleOnRedisIT extends SharedCountContract {

	SampleOnRedisIT() {
		super("redis");
	}

	@Override
	Stream<String> arguments() {
		return Stream.of("--spring.profiles.active=redis", "--spring.data.redis.host=" + TestRedis.shared().host(),
				"--spring.data.redis.port=" + TestRedis.shared().port(), "--ratelimit.redis.timeout=5s");
	}

}
