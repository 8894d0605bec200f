package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Consumer;

import jakarta.servlet.Filter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One life of an application in a container: it starts, decides in every way on the
 * container's thread, and stops.
 */
public final class RedeployedApplication implements Consumer<String[]> {

	/** Makes one that has not started, for a class loader that only has its name. */
	public RedeployedApplication() {
	}

	@Override
	public void accept(String[] properties) {
		new WebApplicationContextRunner().withClassLoader(getClass().getClassLoader())
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, WebMvcAutoConfiguration.class,
					MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withUserConfiguration(Application.class)
			.withPropertyValues("management.metrics.use-global-registry=false", "ratelimit.policies.calls.limits=2/1h",
					"ratelimit.policies.calls.key=client-ip", "ratelimit.policies.queue.limits=200/1s",
					"ratelimit.policies.queue.algorithm=leaky-bucket", "ratelimit.policies.queue.max-wait=1s",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=calls")
			.withPropertyValues(properties)
			.run(RedeployedApplication::call);
	}

	private static void call(WebApplicationContext context) {
		MockMvcTester client = MockMvcTester.from(context,
				(mvc) -> mvc.addFilters(context.getBeansOfType(Filter.class).values().toArray(Filter[]::new)).build());
		for (int i = 0; i < 3; i++) {
			assertThat(client.get().uri("/value").exchange().getResponse().getStatus()).isIn(200, 429);
			assertThat(client.get().uri("/mono").exchange().getResponse().getStatus()).isIn(200, 429);
		}
		RateLimiter limiter = context.getBean(RateLimiter.class);
		for (int i = 0; i < 3; i++) {
			limiter.acquire(new Charge("queue", "a", 1));
			limiter.acquireAsync(new Charge("queue", "a", 1)).toCompletableFuture().join();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@RestController
	static class Application {

		@GetMapping("/value")
		@RateLimited("queue")
		String value() {
			return "value";
		}

		@GetMapping("/mono")
		@RateLimited("queue")
		Mono<String> mono() {
			return Mono.just("mono");
		}

		@Bean
		LimitOverrides overrides() {
			return (policy, key) -> List
				.of(Limit.parse("100/1s", policy.equals("queue") ? Algorithm.LEAKY_BUCKET : Algorithm.TOKEN_BUCKET));
		}

	}

}
