package io.github.ratelimit.benchmarks.load;

import java.util.Map;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import io.github.ratelimit.RateLimited;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application on Tomcat that answers one line of text, which may be limited by caller.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ WebApplication.Quotes.class, WebApplication.ByHand.class })
class WebApplication {

	/** Starts it on a free port. */
	static ConfigurableApplicationContext start(String profile, Map<String, String> properties) {
		Stream<String> given = properties.entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue());
		Stream<String> fixed = Stream.of("server.port=0", "server.address=127.0.0.1",
				"server.tomcat.max-keep-alive-requests=-1", "spring.main.banner-mode=off", "logging.level.root=warn",
				"spring.profiles.active=" + profile, "spring.cloud.gateway.server.webflux.enabled=false",
				"spring.cloud.gateway.server.webflux.redis.enabled=false", "ratelimit.redis.timeout=5s",
				"ratelimit.policies.spread.limits=%d/%ds".formatted(Scenario.SPREAD.permits(),
						Scenario.SPREAD.period().toSeconds()),
				"ratelimit.policies.spread.burst=" + Scenario.SPREAD.burst(),
				"ratelimit.policies.spread.key=header:" + HttpCalls.KEY_HEADER);
		String[] arguments = Stream.concat(fixed, given).map((property) -> "--" + property).toArray(String[]::new);
		return new SpringApplication(WebApplication.class).run(arguments);
	}

	/** Returns the port at which an application listens. */
	static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@RestController
	static class Quotes {

		@GetMapping("/open")
		String open() {
			return "Slow and steady wins the race.";
		}

		@GetMapping("/limited")
		@RateLimited("spread")
		String limited() {
			return open();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Profile("by-hand")
	static class ByHand {

		@Bean
		Filter gcraFilter(Environment environment) {
			return new GcraFilter(environment.getRequiredProperty("spring.data.redis.port", Integer.class));
		}

	}

}
