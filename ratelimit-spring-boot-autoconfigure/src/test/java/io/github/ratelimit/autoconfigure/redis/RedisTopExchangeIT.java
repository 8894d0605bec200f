package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.TestConnections;
import io.github.ratelimit.spring.top.TopExchangeContract;
import io.github.ratelimit.spring.top.TopKeys;
import io.github.ratelimit.spring.top.TopReport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RedisTopExchangeIT extends TopExchangeContract {

	private final RedisProcess redis = RedisProcess.start();

	private final LettuceConnectionFactory connections = TestConnections.lettuce(this.redis);

	@AfterEach
	void close() {
		this.connections.destroy();
		this.redis.close();
	}

	@Test
	void keepsNothingThatDoesNotExpire() {
		exchange().publish(Map.of("api", "a report"));
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		assertThat(commands.keys("*")).hasSize(2)
			.allSatisfy((key) -> assertThat(commands.getExpire(key)).isBetween(1L, 30L));
	}

	@Test
	void sendsOneScriptWithWhatHasChangedForAllPolicies() {
		RedisTopExchange one = exchange();
		Map<String, String> reports = new HashMap<>();
		IntStream.range(0, 90).forEach((policy) -> reports.put("policy-" + policy, "a report"));
		one.publish(reports);
		reports.put("policy-7", "a later report");
		reports.remove("policy-8");
		this.redis.commands().configResetstat();
		one.publish(reports);
		assertThat(scripts()).isOne();
		assertThat(this.redis.commands().info("commandstats")).contains("cmdstat_hset:calls=1,",
				"cmdstat_hdel:calls=1,");
		assertThat(exchange().others("policy-7")).containsExactly("a later report");
		assertThat(exchange().others("policy-8")).isEmpty();
		assertThat(exchange().others("policy-9")).containsExactly("a report");
	}

	@Test
	void sendsEverythingAgainToAServerThatHasLostIt() {
		RedisTopExchange one = exchange();
		one.publish(Map.of("api", "a report", "other", "another"));
		this.redis.commands().flushall();
		one.publish(Map.of("api", "a report", "other", "another"));
		assertThat(exchange().others("api")).containsExactly("a report");
	}

	private long scripts() {
		return this.redis.commands()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_evalsha:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

	@Test
	void forgetsInstancesThatAreGone() {
		RedisTopExchange gone = exchange();
		gone.publish(Map.of("api", "a report"));
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		commands.delete(commands.keys("*{top}:*"));
		assertThat(exchange().others("api")).isEmpty();
		assertThat(commands.keys("*")).isEmpty();
	}

	@Test
	void forgetsInstancesThatAreGoneWhenAnotherStarts() {
		StringRedisTemplate commands = new StringRedisTemplate(this.connections);
		for (int instance = 0; instance < 3; instance++) {
			commands.delete(commands.keys("*{top}:*"));
			exchange().publish(Map.of("api", "a report"));
		}
		assertThat(commands.opsForSet().members("test:1:{top}")).hasSize(1);
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

	@Override
	protected RedisTopExchange exchange() {
		return new RedisTopExchange(this.connections, "test");
	}

}
