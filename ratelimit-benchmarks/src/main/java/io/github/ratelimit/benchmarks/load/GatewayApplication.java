package io.github.ratelimit.benchmarks.load;

import java.util.stream.Stream;

import reactor.core.publisher.Mono;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A Spring Cloud Gateway on Netty, whose routes are limited by caller in different ways.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
class GatewayApplication {

	private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[%d].";

	/**
	 * Starts it on a free port.
	 * @param redis the port of Redis
	 * @param upstream the port of the upstream
	 */
	static ConfigurableApplicationContext start(int redis, int upstream) {
		Stream<String> fixed = Stream.of("server.port=0", "server.address=127.0.0.1", "spring.main.banner-mode=off",
				"spring.main.web-application-type=reactive", "logging.level.root=warn",
				"spring.data.redis.port=" + redis, "ratelimit.store=redis", "ratelimit.redis.timeout=5s",
				"ratelimit.policies.spread.limits=%d/%ds".formatted(Scenario.SPREAD.permits(),
						Scenario.SPREAD.period().toSeconds()),
				"ratelimit.policies.spread.burst=" + Scenario.SPREAD.burst(),
				"ratelimit.policies.spread.key=header:" + HttpCalls.KEY_HEADER);
		Stream<String> routes = routes("http://127.0.0.1:" + upstream);
		SpringApplication application = new SpringApplication(GatewayApplication.class);
		return application.run(Stream.concat(fixed, routes).map((property) -> "--" + property).toArray(String[]::new));
	}

	private static Stream<String> routes(String uri) {
		String own = ROUTE.formatted(1) + "filters[0].";
		String dropIn = ROUTE.formatted(3) + "filters[0].";
		return Stream
			.of(route(0, "/open", uri), route(1, "/own", uri), route(2, "/filter", uri), route(3, "/drop-in", uri),
					Stream.of(own + "name=RequestRateLimiter",
							own + "args.[redis-rate-limiter.replenishRate]=" + Scenario.SPREAD.permits(),
							own + "args.[redis-rate-limiter.burstCapacity]=" + Scenario.SPREAD.burst(),
							ROUTE.formatted(2) + "filters[0]=RateLimit=spread", dropIn + "name=RequestRateLimiter",
							dropIn + "args.[ratelimit.policy]=spread"))
			.flatMap((properties) -> properties);
	}

	private static Stream<String> route(int index, String path, String uri) {
		String route = ROUTE.formatted(index);
		return Stream.of(route + "id=" + path, route + "uri=" + uri, route + "predicates[0]=Path=" + path);
	}

	@Bean
	KeyResolver callers() {
		return (exchange) -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst(HttpCalls.KEY_HEADER));
	}

	@Bean
	NettyReactiveWebServerFactory server() {
		return new NettyReactiveWebServerFactory();
	}

}
