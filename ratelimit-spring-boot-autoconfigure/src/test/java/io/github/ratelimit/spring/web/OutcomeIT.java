package io.github.ratelimit.spring.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Requests on Tomcat and Netty that are charged by their response, and limited by their
 * parts.
 */
class OutcomeIT {

	private static final String[] PROPERTIES = { "server.port=0", "ratelimit.store=memory",
			"ratelimit.policies.failures.limits=100/1d fixed-window",
			"ratelimit.policies.bytes.limits=100000/1d fixed-window",
			"ratelimit.policies.kept.limits=100/1d fixed-window", "ratelimit.policies.item.limits=100/1d fixed-window",
			"ratelimit.policies.item.key=path:id", "ratelimit.policies.parts.limits=100/1d fixed-window",
			"ratelimit.policies.parts.key=tenant", "ratelimit.tenant=query:tenant,cookie:tenant",
			"ratelimit.rules[0].paths=/status/**", "ratelimit.rules[0].policies=failures",
			"ratelimit.rules[0].charge-when=#response.status == 401", "ratelimit.rules[1].paths=/bytes/**",
			"ratelimit.rules[1].policies=bytes", "ratelimit.rules[1].cost=5000",
			"ratelimit.rules[1].actual=#response.size", "ratelimit.rules[2].paths=/status/**",
			"ratelimit.rules[2].policies=kept", "ratelimit.rules[2].refund-when=#response.status >= 500",
			"ratelimit.rules[2].phase=before-security", "ratelimit.rules[3].paths=/item/{id}",
			"ratelimit.rules[3].policies=item", "ratelimit.rules[4].paths=/parts", "ratelimit.rules[4].policies=parts",
			"ratelimit.policies.busy.limits=1 concurrent", "ratelimit.rules[5].paths=/ruled/slow",
			"ratelimit.rules[5].policies=busy" };

	private static final Map<Server, ConfigurableApplicationContext> CONTEXTS = Map.of(Server.TOMCAT,
			start(Server.TOMCAT), Server.NETTY, start(Server.NETTY));

	@AfterAll
	static void stop() {
		CONTEXTS.values().forEach(ConfigurableApplicationContext::close);
	}

	static List<Arguments> outcomes() {
		return List.of(arguments("/status/200", 0, 1), arguments("/status/401", 1, 1), arguments("/status/500", 0, 0),
				arguments("/status/thrown", 0, 0), arguments("/status/refused", 1, 1), arguments("/status/later", 1, 1),
				arguments("/status/nothing-there", 0, 1));
	}

	@ParameterizedTest
	@MethodSource
	void chargesByTheStatusOfTheResponse(Server server, String path, long failures, long kept) {
		long failuresBefore = remaining(server, "failures", "global");
		long keptBefore = remaining(server, "kept", "global");
		get(server, path);
		Awaitility.await().untilAsserted(() -> {
			assertThat(failuresBefore - remaining(server, "failures", "global")).isEqualTo(failures);
			assertThat(keptBefore - remaining(server, "kept", "global")).isEqualTo(kept);
		});
	}

	static List<Arguments> chargesByTheStatusOfTheResponse() {
		return outcomes().stream()
			.flatMap((outcome) -> List.of(Server.values())
				.stream()
				.map((server) -> arguments(server, outcome.get()[0], outcome.get()[1], outcome.get()[2])))
			.toList();
	}

	@ParameterizedTest
	@MethodSource
	void chargesTheBytesOfTheResponse(Server server, String path, long bytes) {
		long before = remaining(server, "bytes", "global");
		get(server, path);
		Awaitility.await()
			.untilAsserted(() -> assertThat(before - remaining(server, "bytes", "global")).isEqualTo(bytes));
	}

	static List<Arguments> chargesTheBytesOfTheResponse() {
		return List.of(arguments(Server.TOMCAT, "/bytes/text", 11), arguments(Server.NETTY, "/bytes/text", 11),
				arguments(Server.TOMCAT, "/bytes/stream", 3000), arguments(Server.NETTY, "/bytes/flux", 3000));
	}

	@ParameterizedTest
	@EnumSource
	void chargesAnAnnotatedControllerByItsResponse(Server server) {
		String key = "expression:" + server;
		for (int status : new int[] { 200, 401, 200, 401 }) {
			get(server, "/annotated/" + server + "/" + status);
		}
		Awaitility.await().untilAsserted(() -> assertThat(remaining(server, "failures", key)).isEqualTo(98));
	}

	@ParameterizedTest
	@EnumSource
	void limitsByVariablesOfThePathAndPartsOfTheRequest(Server server) {
		get(server, "/item/7");
		get(server, "/item/7");
		get(server, "/item/8");
		assertThat(remaining(server, "item", "path:id:7")).isEqualTo(98);
		assertThat(remaining(server, "item", "path:id:8")).isEqualTo(99);
		get(server, "/parts?tenant=a b&x=1");
		assertThat(remaining(server, "parts", "tenant:a b")).isEqualTo(99);
		client(server).get().uri("/parts").cookie("tenant", "acme").exchange().expectStatus().isOk().expectBody();
		assertThat(remaining(server, "parts", "tenant:acme")).isEqualTo(99);
		get(server, "/mapped/7?q=z");
		assertThat(remaining(server, "item", "expression:7/z/127.0.0.1/GET")).isEqualTo(99);
	}

	@ParameterizedTest
	@MethodSource
	void admitsOneRequestAtATime(Server server, String path) {
		for (int round = 0; round < 2; round++) {
			CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> status(server, path));
			OutcomeController.SLOW.awaitCall();
			assertThat(status(server, path)).isEqualTo(429);
			OutcomeController.SLOW.end();
			assertThat(first.join()).isEqualTo(200);
			Awaitility.await().untilAsserted(() -> assertThat(remaining(server, "busy", "global")).isOne());
		}
	}

	static List<Arguments> admitsOneRequestAtATime() {
		return List.of(arguments(Server.TOMCAT, "/ruled/slow"), arguments(Server.NETTY, "/ruled/slow"),
				arguments(Server.TOMCAT, "/annotated/slow"), arguments(Server.NETTY, "/annotated/slow"),
				arguments(Server.TOMCAT, "/annotated/slow/blocking"));
	}

	private static int status(Server server, String path) {
		return client(server).get().uri(path).exchange().expectBody().returnResult().getStatus().value();
	}

	private static void get(Server server, String path) {
		client(server).get().uri(path).exchange().expectBody();
	}

	private static WebTestClient client(Server server) {
		return WebTestClient.bindToServer()
			.baseUrl("http://127.0.0.1:" + context(server).getEnvironment().getRequiredProperty("local.server.port"))
			.responseTimeout(Duration.ofSeconds(20))
			.build();
	}

	private static long remaining(Server server, String policy, String key) {
		return context(server).getBean(RateLimiter.class)
			.peek(List.of(Charge.of(policy, key)))
			.limits()
			.get(0)
			.remaining();
	}

	private static ConfigurableApplicationContext context(Server server) {
		return Objects.requireNonNull(CONTEXTS.get(server));
	}

	private static ConfigurableApplicationContext start(Server server) {
		return new SpringApplicationBuilder(Application.class).web(server.type).properties(PROPERTIES).run();
	}

	/** The servers of requests. */
	enum Server {

		/** A servlet container. */
		TOMCAT(WebApplicationType.SERVLET),

		/** A reactive server. */
		NETTY(WebApplicationType.REACTIVE);

		private final WebApplicationType type;

		Server(WebApplicationType type) {
			this.type = type;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OutcomeController.class)
	static class Application {

	}

}
