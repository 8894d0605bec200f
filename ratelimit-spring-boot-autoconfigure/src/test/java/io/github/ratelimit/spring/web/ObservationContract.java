package io.github.ratelimit.spring.web;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.metrics.RecordedObservations;
import io.github.ratelimit.store.TestStore;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outcomes of calls on the observations of HTTP requests. The store decides calls
 * that do not block on a thread of its own.
 */
abstract class ObservationContract {

	static final String[] PROPERTIES = { "server.port=0", "ratelimit.policies.one.limits=1/1h",
			"ratelimit.policies.listed.limits=9/1h", "ratelimit.policies.listed.key=#name",
			"ratelimit.policies.listed.blocked=#name == 'mallory'", "ratelimit.rules[0].paths=/early",
			"ratelimit.rules[0].policies=one", "ratelimit.rules[0].phase=before-security",
			"ratelimit.rules[1].paths=/ruled", "ratelimit.rules[1].policies=one" };

	private final RecordedObservations recorded = context().getBean(RecordedObservations.class);

	abstract ConfigurableApplicationContext context();

	@BeforeEach
	void resetsTheLimit() {
		context().getBean(RateLimiter.class).reset("one", Policy.EVERYONE);
		this.recorded.events().clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/early", "/ruled", "/method", "/mono", "/stage" })
	void nameTheOutcomeAndThePolicyThatDenies(String path) throws InterruptedException {
		assertThat(get(path).status()).isEqualTo(200);
		Observation.Context admitted = request();
		assertThat(RecordedObservations.high(admitted, "ratelimit.outcome")).isEqualTo("allowed");
		assertThat(RecordedObservations.high(admitted, "ratelimit.policy")).isNull();
		assertThat(get(path).status()).isEqualTo(429);
		Observation.Context denied = request();
		assertThat(RecordedObservations.high(denied, "ratelimit.outcome")).isEqualTo("denied");
		assertThat(RecordedObservations.high(denied, "ratelimit.policy")).isEqualTo("one");
		assertThat(denied.getLowCardinalityKeyValues().toString()).doesNotContain("ratelimit");
		assertThat(this.recorded.events()).containsExactly("http.server.requests: ratelimit.denied");
	}

	@Test
	void nameThePolicyThatRefusesTheCaller() throws InterruptedException {
		assertThatRefusalIsNamed("/listed-mono");
	}

	void assertThatRefusalIsNamed(String path) throws InterruptedException {
		assertThat(get(path + "?name=mallory").status()).isEqualTo(403);
		Observation.Context refused = request();
		assertThat(RecordedObservations.high(refused, "ratelimit.outcome")).isEqualTo("blocked");
		assertThat(RecordedObservations.high(refused, "ratelimit.policy")).isEqualTo("listed");
	}

	@Test
	void nameNothingOfARequestWithoutALimit() throws InterruptedException {
		assertThat(get("/open").status()).isEqualTo(200);
		assertThat(RecordedObservations.high(request(), "ratelimit.outcome")).isNull();
	}

	private Observation.Context request() throws InterruptedException {
		Observation.Context context = this.recorded.next();
		while (!"http.server.requests".equals(context.getName())) {
			context = this.recorded.next();
		}
		return context;
	}

	private Response get(String path) {
		int port = context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send("GET", path, Map.of(), "");
	}

	/** The application, on either server. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

		@Bean
		TestStore store() {
			return new TestStore().decideLater();
		}

		@Bean
		RecordedObservations recordedObservations() {
			return new RecordedObservations();
		}

	}

	@RestController
	static class Controller {

		@GetMapping({ "/early", "/ruled", "/open" })
		String respond() {
			return "ok";
		}

		@GetMapping("/method")
		@RateLimited("one")
		String method() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("one")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/stage")
		@RateLimited("one")
		CompletionStage<String> stage() {
			return CompletableFuture.completedFuture("ok");
		}

		@GetMapping("/listed")
		@RateLimited("listed")
		String listed(@RequestParam String name) {
			return "ok";
		}

		@GetMapping("/listed-mono")
		@RateLimited("listed")
		Mono<String> listedMono(@RequestParam String name) {
			return Mono.just("ok");
		}

	}

}
