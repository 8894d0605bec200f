package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application on Tomcat or Netty that answers one line of text, which may be limited
 * by caller. It runs in a process of its own.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@Import(WebApplication.Quotes.class)
class WebApplication {

	/** The path below which no controller method is limited. */
	static final String OPEN = "/open";

	/** A policy that admits all, beside those of the scenarios. */
	static final String ALSO = "also";

	/** The property that says where the limit by hand counts, if there is one. */
	static final String BY_HAND = "by-hand";

	private static final List<String> FIXED = List.of("server.port=0", "server.address=127.0.0.1",
			"server.tomcat.max-keep-alive-requests=-1", "spring.main.banner-mode=off", "logging.level.root=warn",
			"spring.cloud.gateway.server.webflux.enabled=false",
			"spring.cloud.gateway.server.webflux.redis.enabled=false", "ratelimit.redis.timeout=5s");

	/**
	 * Starts on a free port and prints it.
	 * @param arguments properties, after two hyphens each
	 */
	@SuppressWarnings("checkstyle:regexpsinglelinejava")
	public static void main(String[] arguments) {
		Stream<String> fixed = Stream
			.concat(FIXED.stream(),
					Stream
						.of(policy(Scenario.SPREAD.slug(), Scenario.SPREAD),
								policy(Scenario.HOT_DENIED.slug(), Scenario.HOT_DENIED), policy(ALSO, Scenario.SPREAD))
						.flatMap(List::stream))
			.map((property) -> "--" + property);
		ConfigurableApplicationContext application = new SpringApplication(WebApplication.class)
			.run(Stream.concat(fixed, Stream.of(arguments)).toArray(String[]::new));
		System.out.println(ApplicationProcess.LISTENS + port(application));
	}

	/** Returns the port at which an application listens. */
	static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private static List<String> policy(String name, Scenario scenario) {
		String policy = "ratelimit.policies." + name;
		return List.of(policy + ".limits=" + scenario.permits() + "/" + scenario.period().toSeconds() + "s",
				policy + ".burst=" + scenario.burst(), policy + ".key=header:" + HttpCalls.KEY_HEADER);
	}

	private static ByHand byHand(Environment environment) {
		return environment.getRequiredProperty(BY_HAND).equals("redis")
				? ByHand.onRedis(environment.getRequiredProperty("spring.data.redis.port", Integer.class))
				: ByHand.inMemory();
	}

	@Bean
	@ConditionalOnProperty(BY_HAND)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	GcraFilter gcraFilter(Environment environment) {
		return new GcraFilter(byHand(environment));
	}

	@Bean
	@ConditionalOnProperty(BY_HAND)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	GcraWebFilter gcraWebFilter(Environment environment) {
		return new GcraWebFilter(byHand(environment));
	}

	@Bean
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	NettyReactiveWebServerFactory server() {
		return new NettyReactiveWebServerFactory();
	}

	@RestController
	static class Quotes {

		@GetMapping({ OPEN + "/spread", OPEN + "/hot-denied" })
		String open() {
			return "Slow and steady wins the race.";
		}

		@GetMapping("/spread")
		@RateLimited("spread")
		String spread() {
			return open();
		}

		@GetMapping("/hot-denied")
		@RateLimited("hot-denied")
		String denied() {
			return open();
		}

	}

}
