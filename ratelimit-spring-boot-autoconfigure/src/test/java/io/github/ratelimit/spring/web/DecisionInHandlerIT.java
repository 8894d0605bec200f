package io.github.ratelimit.spring.web;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.spring.charge.RateLimits;
import io.github.ratelimit.spring.web.reactive.ReactiveRateLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that serve a request by what was decided for it.
 */
class DecisionInHandlerIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private final String caller = UUID.randomUUID().toString();

	@ParameterizedTest
	@CsvSource(textBlock = """
			SERVLET,  memory, before
			SERVLET,  redis,  before
			REACTIVE, memory, before
			REACTIVE, redis,  before
			SERVLET,  memory, at-call
			SERVLET,  redis,  at-call
			REACTIVE, memory, at-call
			SERVLET,  memory, stage
			SERVLET,  redis,  stage
			REACTIVE, memory, stage
			REACTIVE, redis,  stage
			SERVLET,  memory, mono
			SERVLET,  redis,  mono
			REACTIVE, memory, mono
			REACTIVE, redis,  mono
			SERVLET,  memory, mono-at-call
			REACTIVE, redis,  mono-at-call
			SERVLET,  memory, flux-at-call
			REACTIVE, redis,  flux-at-call
			SERVLET,  memory, callable
			""")
	void receiveTheLimitsOfTheRuleAndTheMethod(WebApplicationType type, String store, String kind) {
		assertThat(get(type, store, "/limited/" + kind)).isEqualTo("rule=8 method=4");
		assertThat(get(type, store, "/limited/" + kind)).isEqualTo("rule=7 method=3");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void receiveTheLimitsOfARule(WebApplicationType type, String store) {
		assertThat(get(type, store, "/limited/rule")).isEqualTo("rule=8");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void receiveNoLimitWhereNoneApplies(WebApplicationType type) {
		assertThat(get(type, "memory", "/free")).isEqualTo("none");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory, model", "SERVLET, redis, model", "REACTIVE, memory, model", "REACTIVE, redis, model",
			"SERVLET, memory, model-at-call", "REACTIVE, memory, model-at-call" })
	void serveACheaperResponseOnceALimitInShadowIsUsedUp(WebApplicationType type, String store, String kind) {
		assertThat(get(type, store, "/limited/" + kind)).isEqualTo("large");
		assertThat(get(type, store, "/limited/" + kind)).isEqualTo("small");
		assertThat(get(type, store, "/limited/" + kind)).isEqualTo("small");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, current", "SERVLET, current-at-call", "REACTIVE, current-of-subscriber" })
	void showTheLimitsToCodeThatTheyCall(WebApplicationType type, String kind) {
		assertThat(get(type, "memory", "/limited/" + kind)).isEqualTo("rule=8 method=4");
	}

	@Test
	void haveNoLimitsOutsideARequest() {
		assertThat(application(WebApplicationType.SERVLET, "memory").getBean(RateLimits.class).current())
			.isEqualTo(Decision.UNLIMITED);
		assertThat(
				application(WebApplicationType.REACTIVE, "memory").getBean(ReactiveRateLimits.class).current().block())
			.isEqualTo(Decision.UNLIMITED);
	}

	private String get(WebApplicationType type, String store, String path) {
		return Objects.requireNonNull(RestTestClient.bindToServer()
			.baseUrl("http://localhost:"
					+ application(type, store).getEnvironment().getRequiredProperty("local.server.port"))
			.build()
			.get()
			.uri(path + "/" + this.caller)
			.header("caller", this.caller)
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(String.class)
			.getResponseBody());
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store) {
		return APPLICATIONS.get(type + store, () -> start(type, store));
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String store) {
		String policy = "ratelimit.policies.";
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=" + store, "ratelimit.redis.timeout=5s",
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), policy + "rule.limits=9/1h",
					policy + "rule.key=header:caller", policy + "method.limits=5/1h",
					policy + "method.key=header:caller", policy + "large.limits=1/1h",
					policy + "large.key=header:caller", policy + "large.mode=shadow",
					"ratelimit.rules[0].paths=/limited/**", "ratelimit.rules[0].policies=rule")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		private final RateLimits limits;

		private final ObjectProvider<ReactiveRateLimits> reactive;

		Controller(RateLimits limits, ObjectProvider<ReactiveRateLimits> reactive) {
			this.limits = limits;
			this.reactive = reactive;
		}

		@GetMapping("/limited/before/{id}")
		@RateLimited("method")
		String before(Decision decision) {
			return text(decision);
		}

		@GetMapping("/limited/at-call/{id}")
		@RateLimited(policy = "method", key = "#id")
		String atCall(@PathVariable String id, Decision decision) {
			return text(decision);
		}

		@GetMapping("/limited/stage/{id}")
		@RateLimited(policy = "method", key = "#id")
		CompletableFuture<String> stage(Decision decision, @PathVariable String id) {
			return CompletableFuture.completedFuture(text(decision));
		}

		@GetMapping("/limited/mono/{id}")
		@RateLimited("method")
		Mono<String> mono(Decision decision) {
			return Mono.just(text(decision));
		}

		@GetMapping("/limited/mono-at-call/{id}")
		@RateLimited(policy = "method", key = "#id")
		Mono<String> monoAtCall(@PathVariable String id, Decision decision) {
			return Mono.just(text(decision));
		}

		@GetMapping("/limited/flux-at-call/{id}")
		@RateLimited(policy = "method", key = "#id")
		Flux<String> fluxAtCall(@PathVariable String id, Decision decision) {
			return Flux.just(text(decision));
		}

		@GetMapping("/limited/callable/{id}")
		@RateLimited(policy = "method", key = "#id")
		Callable<String> callable(@PathVariable String id, Decision decision) {
			return () -> text(decision);
		}

		@GetMapping({ "/limited/rule/{id}", "/free/{id}" })
		String unlimited(Decision decision) {
			return text(decision);
		}

		@GetMapping("/limited/model/{id}")
		@RateLimited("large")
		String model(Decision decision) {
			return decision.isShadowDeniedBy("large") ? "small" : "large";
		}

		@GetMapping("/limited/model-at-call/{id}")
		@RateLimited(policy = "large", key = "#id")
		String modelAtCall(@PathVariable String id, Decision decision) {
			return decision.isShadowDeniedBy("large") ? "small" : "large";
		}

		@GetMapping("/limited/current/{id}")
		@RateLimited("method")
		String current() {
			return text(this.limits.current());
		}

		@GetMapping("/limited/current-at-call/{id}")
		@RateLimited(policy = "method", key = "#id")
		String currentAtCall(@PathVariable String id) {
			return text(this.limits.current());
		}

		@GetMapping("/limited/current-of-subscriber/{id}")
		@RateLimited("method")
		Mono<String> currentOfSubscriber() {
			return this.reactive.getObject().current().publishOn(Schedulers.parallel()).map(Controller::text);
		}

		private static String text(Decision decision) {
			return decision.limits().isEmpty() ? "none"
					: decision.limits()
						.stream()
						.map((limit) -> limit.policy() + "=" + limit.remaining())
						.collect(Collectors.joining(" "));
		}

	}

}
