package io.github.ratelimit.sample.docs;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.sample.PlainPasswords;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the lines by which two services share counts.
 */
@Tag("long")
class ChoiceOnRedisIT {

	private static final EnumerablePropertySource<?> SHOWN = DocumentedApplication.configuration("docs/choose.md",
			"Several services");

	@Test
	void sharesCountsAmongServices() {
		try (RedisProcess redis = RedisProcess.start();
				ConfigurableApplicationContext orders = start("orders", redis);
				ConfigurableApplicationContext stock = start("stock", redis)) {
			MockMvcTester toOrders = DocumentedApplication.client((WebApplicationContext) orders);
			MockMvcTester toStock = DocumentedApplication.client((WebApplicationContext) stock);
			for (int call = 0; call < 50; call++) {
				assertThat(status(toOrders, "4711")).isEqualTo(404);
				assertThat(status(toStock, "4711")).isEqualTo(404);
			}
			assertThat(status(toOrders, "4711")).isEqualTo(429);
			assertThat(status(toStock, "4711")).isEqualTo(429);
			assertThat(status(toStock, "4712")).isEqualTo(404);
		}
	}

	private static ConfigurableApplicationContext start(String name, RedisProcess redis) {
		return new SpringApplicationBuilder(DocumentedApplication.Application.class, PlainPasswords.class)
			.web(WebApplicationType.SERVLET)
			.profiles("docs")
			.initializers((context) -> context.getEnvironment().getPropertySources().addLast(SHOWN))
			.run("--spring.config.name=none", "--server.port=0", "--spring.application.name=" + name,
					"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + redis.port(),
					"--ratelimit.redis.timeout=5s", "--ratelimit.policies.shop.limits=100/1h");
	}

	private static int status(MockMvcTester client, String apiKey) {
		return client.get().uri("/shop/articles").header("X-Api-Key", apiKey).exchange().getResponse().getStatus();
	}

}
