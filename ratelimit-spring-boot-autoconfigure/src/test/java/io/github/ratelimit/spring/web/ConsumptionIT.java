package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.spring.consumption.ConsumptionRecord;
import io.github.ratelimit.spring.consumption.ConsumptionSink;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Records that a sink has received once an application has stopped, on every kind of
 * server and store.
 */
class ConsumptionIT {

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void isWhatCallersHaveSpent(WebApplicationType type, String store) {
		String caller = UUID.randomUUID().toString();
		Sink sink;
		try (ConfigurableApplicationContext application = application(type, store)) {
			sink = application.getBean(Sink.class);
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			RealClient client = new RealClient(port);
			for (String path : List.of("/value", "/mono", "/adjusted", "/refunded", "/denied", "/ruled")) {
				client.send("GET", path, Map.of("X-Client", caller), "");
			}
			assertThat(client.send("GET", "/denied", Map.of("X-Client", caller), "").status()).isEqualTo(429);
		}
		String key = "header:x-client:" + caller;
		assertThat(sink.records).extracting(ConsumptionRecord::policy, ConsumptionRecord::key)
			.containsOnly(tuple("calls", key), tuple("once", key), tuple("ruled", key));
		assertThat(sink.permits("calls")).isEqualTo(2 + 2 + 7 + 0);
		assertThat(sink.calls("calls")).isEqualTo(4);
		assertThat(sink.permits("once")).isOne();
		assertThat(sink.calls("once")).isOne();
		assertThat(sink.permits("ruled")).isEqualTo(3);
		assertThat(sink.calls("ruled")).isOne();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store) {
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.consumption.show-keys=true",
					"ratelimit.policies.calls.limits=100/1h", "ratelimit.policies.calls.key=header:X-Client",
					"ratelimit.policies.once.limits=1/1h", "ratelimit.policies.once.key=header:X-Client",
					"ratelimit.policies.ruled.limits=100/1h", "ratelimit.policies.ruled.key=header:X-Client",
					"ratelimit.rules[0].paths=/ruled", "ratelimit.rules[0].policies=ruled", "ratelimit.rules[0].cost=5",
					"ratelimit.rules[0].actual=#response.status / 100 + 1")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Sink.class })
	static class Application {

	}

	static class Sink implements ConsumptionSink {

		private final List<ConsumptionRecord> records = new CopyOnWriteArrayList<>();

		@Override
		public void receive(List<ConsumptionRecord> records) {
			this.records.addAll(records);
		}

		/** Adds up, as a minute may end in between. */
		private long permits(String policy) {
			return of(policy).stream().mapToLong(ConsumptionRecord::permits).sum();
		}

		private long calls(String policy) {
			return of(policy).stream().mapToLong(ConsumptionRecord::calls).sum();
		}

		private List<ConsumptionRecord> of(String policy) {
			return this.records.stream().filter((record) -> record.policy().equals(policy)).toList();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/value")
		@RateLimited(policy = "calls", cost = "2")
		String value() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited(policy = "calls", cost = "2")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/adjusted")
		@RateLimited(policy = "calls", cost = "2", actual = "#result.length()")
		Mono<String> adjusted() {
			return Mono.just("seven..");
		}

		@GetMapping("/refunded")
		@RateLimited(policy = "calls", cost = "2", refundWhen = "#result == 'none'")
		Mono<String> refunded() {
			return Mono.just("none");
		}

		@GetMapping("/denied")
		@RateLimited("once")
		String denied() {
			return "ok";
		}

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

	}

}
