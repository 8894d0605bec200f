package io.github.ratelimit.gateway.webflux;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.gateway.Gateways;
import io.github.ratelimit.gateway.Reply;
import io.github.ratelimit.gateway.Upstream;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The gateway's filter {@code RequestRateLimiter} with policies, on Redis.
 */
@Tag("long")
class RequestRateLimiterIT {

	private static ConfigurableApplicationContext gateway;

	@BeforeAll
	static void start() {
		gateway = Gateways.webFlux(Application.class, "spring.config.name=request-rate-limiter",
				"spring.data.redis.host=" + TestRedis.shared().host(),
				"spring.data.redis.port=" + TestRedis.shared().port());
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@Test
	void chargesThePolicyWithTheKeyOfTheGateway() {
		Reply first = get("/search", "alice");
		assertThat(first.status()).isEqualTo(200);
		assertThat(first.header("RateLimit")).isEqualTo("\"search\";r=1;t=1800");
		assertThat(statuses("/search", "alice")).containsExactly(200, 429, 429);
		Reply denied = get("/search", "alice");
		assertThat(denied.header("RateLimit")).isEqualTo("\"search\";r=0;t=" + denied.header("Retry-After"));
		assertThat(denied.header("X-RateLimit-Remaining")).isNull();
		assertThat(statuses("/search", "bob")).containsExactly(200, 200, 429);
	}

	@Test
	void chargesRequestsWithABlankKeyTogether() {
		assertThat(statuses("/search", "")).containsExactly(200, 200, 429);
		assertThat(gateway.getBean(io.github.ratelimit.RateLimiter.class)
			.peek(List.of(Charge.of("search", "missing")))
			.allowed()).isFalse();
	}

	@Test
	void chargesTheCostThatTheFilterStates() {
		assertThat(statuses("/export", "carol")).containsExactly(200, 429, 429);
	}

	@Test
	void chargesRoutesInJava() {
		assertThat(statuses("/java", "dave")).containsExactly(200, 429, 429);
	}

	@Test
	void leavesOtherRoutesToTheGatewaysOwnLimiter() {
		Reply reply = get("/own", "erin");
		assertThat(reply.header("X-RateLimit-Replenish-Rate")).isEqualTo("1");
		assertThat(reply.header("RateLimit")).isNull();
	}

	@Test
	void limitsByRouteOnRedis() {
		assertThat(get("/route", "frank").header("RateLimit")).isEqualTo("\"search\";r=1;t=1800");
		assertThat(statuses("/route", "frank")).containsExactly(200, 429, 429);
	}

	@Test
	void namesTheRouteThatNamesNoPolicy() {
		PolicyRateLimiter alone = new PolicyRateLimiter(() -> null, () -> null, RateLimitHeaders.NONE);
		assertThatIllegalStateException().isThrownBy(() -> alone.isAllowed("r", "alice"))
			.withMessageContaining("the route 'r' names no policy");
	}

	@Test
	void leavesARouteToAnotherLimiterOnceItNamesNoPolicy() {
		PolicyRateLimiter limiter = new PolicyRateLimiter(() -> null, () -> null, RateLimitHeaders.NONE);
		limiter.onApplicationEvent(new FilterArgsEvent(this, "r", Map.of("ratelimit.policy", "search")));
		limiter.onApplicationEvent(new FilterArgsEvent(this, "r", Map.of("pattern", "/search")));
		assertThat(limiter.getConfig()).containsKey("r");
		limiter.onApplicationEvent(new FilterArgsEvent(this, "r", Map.of("redis-rate-limiter.replenishRate", "1")));
		assertThat(limiter.getConfig()).isEmpty();
	}

	@Test
	void isTheLimiterThatTheGatewayInjects() {
		assertThat(gateway.getBean(RateLimiter.class)).isInstanceOf(PolicyRateLimiter.class);
		assertThat(gateway.getBeansOfType(RateLimiter.class)).hasSize(2);
	}

	private static List<Integer> statuses(String path, String client) {
		return Stream.generate(() -> get(path, client).status()).limit(3).toList();
	}

	private static Reply get(String path, String client) {
		return Reply.get(Gateways.port(gateway), path, Map.of("X-Client", client));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		KeyResolver clientKeyResolver() {
			return (exchange) -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Client"));
		}

		@Bean
		RouteLocator javaRoutes(RouteLocatorBuilder routes) {
			return routes.routes()
				.route("java",
						(route) -> route.path("/java")
							.filters((filters) -> filters.requestRateLimiter()
								.rateLimiter(PolicyRateLimiter.class, (config) -> config.setPolicy("search").setCost(2))
								.configure((config) -> {
								}))
							.uri(Upstream.shared().address()))
				.build();
		}

	}

}
