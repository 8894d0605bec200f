package io.github.ratelimit.gateway;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.gateway.GatewayRow.Answer;
import io.github.ratelimit.gateway.GatewayRow.Flavour;
import io.github.ratelimit.gateway.GatewayRow.Limited;
import io.github.ratelimit.gateway.GatewayRow.Pays;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Routes that pay by their response, with all pairs of features.
 */
@Tag("long")
class GatewayPairsIT {

	private static final Map<Flavour, ConfigurableApplicationContext> GATEWAYS = new EnumMap<>(Flavour.class);

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String client = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		GATEWAYS.put(Flavour.WEBFLUX, Gateways.webFlux(Application.class, properties(Flavour.WEBFLUX)));
		GATEWAYS.put(Flavour.WEBMVC, Gateways.webMvc(Application.class, properties(Flavour.WEBMVC)));
	}

	@AfterAll
	static void stop() {
		GATEWAYS.values().forEach(ConfigurableApplicationContext::close);
	}

	static Stream<GatewayRow> rows() {
		return GatewayRow.all();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void paysByTheResponse(GatewayRow row) {
		if (row.limited().before() > 0) {
			limiter(row).acquire(charge(row.limited().policy(), row.limited().before()));
		}
		CompletableFuture<HttpResponse<String>> response = CLIENT.sendAsync(request(row), BodyHandlers.ofString());
		if (row.answer().isStream() && !row.isDenied()) {
			await(() -> {
				assertThat(Upstream.shared().served(this.client)).isOne();
				assertThat(spent(row)).allMatch((spent) -> spent == row.reserved());
				assertThat(held(row)).allMatch((held) -> held == 1);
			});
			if (row.answer() == Answer.GONE) {
				response.cancel(true);
			}
			Upstream.shared().finish(this.client);
		}
		requireStatus(row, response);
		await(() -> {
			assertThat(spent(row)).allMatch((spent) -> spent == row.spent());
			assertThat(held(row)).allMatch((held) -> held == 0);
			assertThat(spent(peek(row, "ruled"))).containsOnly(row.spentOfRule());
		});
	}

	/** Checks the status of a response that is complete and that a client receives. */
	private static void requireStatus(GatewayRow row, CompletableFuture<HttpResponse<String>> response) {
		if (row.isDenied()) {
			assertThat(response.join().statusCode()).isEqualTo(429);
			return;
		}
		switch (row.answer()) {
			case FOUND, STREAM -> assertThat(response.join().statusCode()).isEqualTo(200);
			case MISSING -> assertThat(response.join().statusCode()).isEqualTo(404);
			case SILENT -> assertThat(response.join().statusCode()).isEqualTo(500);
			case CUT, GONE -> {
			}
		}
	}

	private static void await(ThrowingRunnable assertions) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10)).untilAsserted(assertions);
	}

	private HttpRequest request(GatewayRow row) {
		String gateway = "http://localhost:" + Gateways.port(gateway(row));
		return HttpRequest.newBuilder(URI.create(gateway + row.path()))
			.header("X-Client", this.client)
			.timeout(Duration.ofSeconds(30))
			.build();
	}

	private List<Long> spent(GatewayRow row) {
		return spent(peek(row, row.limited().policy()).filter((limit) -> !limit.limit().isConcurrency()));
	}

	private List<Long> held(GatewayRow row) {
		return spent(peek(row, row.limited().policy()).filter((limit) -> limit.limit().isConcurrency()));
	}

	private static List<Long> spent(Stream<LimitDecision> limits) {
		return limits.map((limit) -> limit.limit().burst() - limit.remaining()).toList();
	}

	private Stream<LimitDecision> peek(GatewayRow row, String policy) {
		Decision decision = limiter(row).peek(List.of(charge(policy, 0)));
		return Stream.concat(decision.limits().stream(), decision.shadows().stream());
	}

	private Charge charge(String policy, long cost) {
		return new Charge(policy, "header:x-client:" + this.client, cost);
	}

	private static RateLimiter limiter(GatewayRow row) {
		return gateway(row).getBean(RateLimiter.class);
	}

	private static ConfigurableApplicationContext gateway(GatewayRow row) {
		return Objects.requireNonNull(GATEWAYS.get(row.flavour()));
	}

	private static String[] properties(Flavour flavour) {
		List<String> properties = new ArrayList<>(List.of("ratelimit.store=memory",
				"ratelimit.policies.ruled.limits=100/1h", "ratelimit.policies.ruled.key=header:X-Client",
				"ratelimit.rules[0].paths=/*/*/ruled/**", "ratelimit.rules[0].policies=ruled",
				"ratelimit.rules[0].cost=2", "ratelimit.rules[0].charge-when=#response.status == 404"));
		Stream.of(Limited.values()).flatMap(Limited::properties).forEach(properties::add);
		int route = 0;
		for (Limited limited : Limited.values()) {
			for (Pays pays : Pays.values()) {
				String prefix = "spring.cloud.gateway.server." + flavour.name().toLowerCase(Locale.ROOT) + ".routes["
						+ route++ + "].";
				route(limited, pays).forEach((property) -> properties.add(prefix + property));
			}
		}
		return properties.toArray(String[]::new);
	}

	private static Stream<String> route(Limited limited, Pays pays) {
		Stream<String> route = Stream.of("id=" + limited + "-" + pays, "uri=" + Upstream.shared().address(),
				"predicates[0]=Path=" + GatewayRow.path(limited, pays) + "/**", "filters[0].name=RateLimit",
				"filters[0].args.policies=" + limited.policy());
		return Stream.concat(route, pays.arguments().map((argument) -> "filters[0].args." + argument));
	}

	/** A gateway that counts in memory. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
