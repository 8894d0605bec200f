package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.TestConnections;
import io.github.ratelimit.spring.top.TopKeys;
import io.github.ratelimit.spring.top.TopReport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RedisTopExchangeIT {

	private final RedisProcess redis = RedisProcess.start();

	private final LettuceConnectionFactory connections = TestConnections.lettuce(this.redis);

	@AfterEach
	void close() {
		this.connections.destroy();
		this.redis.close();
	}

	@Test
	void returnsTheLatestReportsOfOtherInstances() {
		RedisTopExchange one = exchange();
		RedisTopExchange two = exchange();
		RedisTopExchange three = exchange();
		assertThat(one.others("api")).isEmpty();
		one.publish("api", "of one");
		two.publish("api", "of two");
		two.publish("api", "of two, later");
		three.publish("other", "of three");
		assertThat(one.others("api")).containsExactly("of two, later");
		assertThat(three.others("api")).containsExactlyInAnyOrder("of one", "of two, later");
	}

	@Test
	void keepsNothingThatDoesNotExpire() {
		exchange().publish("api", "a report");
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		assertThat(commands.keys("*")).hasSize(2)
			.allSatisfy((key) -> assertThat(commands.getExpire(key)).isBetween(1L, 30L));
	}

	@Test
	void forgetsInstancesThatAreGone() {
		RedisTopExchange gone = exchange();
		gone.publish("api", "a report");
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		commands.delete(commands.keys("*:api:*"));
		assertThat(exchange().others("api")).isEmpty();
		assertThat(commands.keys("*")).isEmpty();
	}

	@Test
	@Timeout(30)
	void answersWithinASecondWhileRedisHangs() {
		TopKeys keys = new TopKeys(exchange(), true, System::nanoTime);
		assertThat(keys.report("api").complete()).isTrue();
		this.redis.pause();
		long begin = System.nanoTime();
		assertThat(keys.reports(List.of("api", "other")).values()).extracting(TopReport::complete)
			.containsExactly(false, false);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
		this.redis.resume();
		Awaitility.await().until(() -> keys.report("api").complete());
	}

	private RedisTopExchange exchange() {
		return new RedisTopExchange(this.connections, "test");
	}

}
