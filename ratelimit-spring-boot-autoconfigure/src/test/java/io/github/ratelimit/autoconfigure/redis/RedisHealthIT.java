package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.data.redis.health.DataRedisHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Spring Boot's health of Redis, as docs/when-redis-fails.md describes it.
 */
@Tag("long")
class RedisHealthIT {

	private static final Duration SOON = Duration.ofSeconds(4);

	@ParameterizedTest
	@EnumSource
	void isDocumented(Fault fault) {
		try (RedisProcess redis = RedisProcess.start("--busy-reply-threshold", "100")) {
			RedisApplication.application("lettuce", "port=" + redis.port(), "timeout=1s").run((context) -> {
				DataRedisHealthIndicator health = new DataRedisHealthIndicator(
						context.getBean(RedisConnectionFactory.class));
				assertThat(health.health().getStatus()).isEqualTo(Status.UP);
				fault.begin.accept(redis);
				assertThatNoException().isThrownBy(
						() -> await().atMost(SOON).until(() -> health.health().getStatus(), fault.status::equals));
				redis.kill();
			});
		}
	}

	enum Fault {

		HANGS(Status.DOWN, RedisProcess::pause),

		REFUSES(Status.DOWN, RedisProcess::kill),

		RUNS_ANOTHER_SCRIPT(Status.DOWN, (redis) -> redis.send("EVAL \"while true do end\" 0")),

		IS_FULL(Status.UP, (redis) -> redis.commands().configSet("maxmemory", "1")),

		TAKES_NO_WRITES(Status.UP, (redis) -> redis.commands().replicaof("127.0.0.1", 1)),

		WITHDRAWS_RIGHTS(Status.UP, (redis) -> redis.send("ACL SETUSER default -eval -evalsha"));

		private final Status status;

		private final Consumer<RedisProcess> begin;

		Fault(Status status, Consumer<RedisProcess> begin) {
			this.status = status;
			this.begin = begin;
		}

	}

}
