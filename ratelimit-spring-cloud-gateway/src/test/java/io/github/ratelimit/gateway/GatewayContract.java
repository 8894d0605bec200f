package io.github.ratelimit.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses of a gateway of either flavour in front of an upstream.
 */
public abstract class GatewayContract {

	private static final String BROKEN = "broken";

	private final String client = UUID.randomUUID().toString();

	@LocalServerPort
	int port;

	@Autowired
	TestStore store;

	@Autowired
	RateLimiter limiter;

	@DynamicPropertySource
	static void upstream(DynamicPropertyRegistry registry) {
		registry.add("upstream", Upstream.shared()::address);
	}

	@Test
	void limitsTheRequestsOfARouteByAHeader() {
		assertThat(statuses("/one/1", 3)).containsExactly(200, 200, 429);
		assertThat(get("/one/2").status()).isEqualTo(429);
		assertThat(get("/ruled").body()).isEqualTo("served");
		assertThat(get("/one/1", Map.of("X-Client", this.client + "2")).status()).isEqualTo(200);
		assertThat(Upstream.shared().served(this.client)).isEqualTo(3);
	}

	@Test
	void reportsTheDecisionInHeaders() {
		Reply first = get("/one");
		assertThat(first.header("RateLimit-Policy")).isEqualTo("\"one\";q=2;w=3600");
		assertThat(first.header("RateLimit")).isEqualTo("\"one\";r=1;t=1800");
		get("/one");
		Reply denied = get("/one");
		assertThat(denied.header("RateLimit")).isEqualTo("\"one\";r=0;t=" + denied.header("Retry-After"));
	}

	@Test
	void deniesExactlyAsARuleDoes() {
		Reply byRule = Stream.generate(() -> get("/ruled")).limit(3).toList().get(2);
		Reply byRoute = Stream.generate(() -> get("/one")).limit(3).toList().get(2);
		assertThat(byRule.status()).isEqualTo(429);
		assertThat(byRoute.status()).isEqualTo(429);
		assertThat(headers(byRoute)).isEqualTo(headers(byRule));
		assertThat(byRoute.body().replace("/one", "/ruled").replace("one", "rule")).isEqualTo(byRule.body())
			.contains("problem-types#quota-exceeded", "\"violated-policies\":[\"rule\"]");
	}

	@Test
	void decidesAllFiltersOfARouteAndTheRulesTogether() {
		Reply both = get("/both");
		assertThat(both.header("RateLimit")).isEqualTo("\"one\";r=1;t=1800, \"two\";r=1;t=2400");
		assertThat(both.header("X-Between")).isEqualTo("yes");
		assertThat(get("/joined").header("RateLimit-Policy")).isEqualTo("\"rule\";q=2;w=3600, \"one\";q=2;w=3600");
		assertThat(decisions()).containsExactly(List.of("one", "two"), List.of("rule", "one"));
	}

	@Test
	void chargesNothingIfAnyFilterOrRuleDenies() {
		assertThat(statuses("/both", 2)).containsExactly(200, 429);
		assertThat(statuses("/joined", 2)).containsExactly(200, 429);
		assertThat(statuses("/ruled", 2)).containsExactly(200, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/shortcut", "/listed", "/text" })
	void readsEveryFormOfTheArguments(String path) {
		assertThat(get(path).header("RateLimit")).isEqualTo("\"one\";r=1;t=1800, \"two\";r=2;t=1200");
		assertThat(decisions()).containsExactly(List.of("one", "two"));
	}

	@Test
	void chargesEqualFiltersOnce() {
		assertThat(get("/twice").header("RateLimit")).isEqualTo("\"one\";r=1;t=1800");
		assertThat(decisions()).containsExactly(List.of("one"));
	}

	@ParameterizedTest
	@CsvSource({ "/refunded/missing, 404, 100", "/refunded/found, 200, 97", "/charged/missing, 404, 99",
			"/charged/found, 200, 100", "/actual/missing, 404, 99", "/actual/found, 200, 80" })
	void chargesByTheResponse(String path, int status, long left) {
		assertThat(get(path).status()).isEqualTo(status);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.limiter.peek(List.of(Charge.of("paid", "header:x-client:" + this.client)))
						.limits()
						.get(0)
						.remaining()).isEqualTo(left));
	}

	@Test
	void givesPlansTheirOwnLimits() {
		assertThat(statuses("/planned", 2)).containsExactly(200, 429);
		Map<String, String> gold = Map.of("X-Client", this.client + "2", "X-Plan", "gold");
		assertThat(Stream.generate(() -> get("/planned", gold).status()).limit(4)).containsExactly(200, 200, 200, 429);
	}

	@Test
	void countsEachCallerOnEachRoute() {
		assertThat(statuses("/routed/first/1", 1)).containsExactly(200);
		assertThat(statuses("/routed/first/2", 1)).containsExactly(429);
		assertThat(statuses("/routed/second/1", 2)).containsExactly(200, 429);
		assertThat(get("/routed/first/1", Map.of("X-Client", this.client + "2")).status()).isEqualTo(200);
		assertThat(this.limiter.peek(List.of(Charge.of("routed", "header:x-client:" + this.client + " + route:first")))
			.allowed()).isFalse();
	}

	@Test
	void appliesTheListsOfAPolicy() {
		Map<String, String> bad = Map.of("X-Client", this.client, "X-Role", "bad");
		Map<String, String> trusted = Map.of("X-Client", this.client, "X-Role", "trusted");
		Reply blocked = get("/guarded", bad);
		assertThat(blocked.status()).isEqualTo(403);
		assertThat(blocked.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(blocked.body()).contains("Caller blocked");
		assertThat(Stream.generate(() -> get("/guarded", trusted).status()).limit(3)).containsOnly(200);
		assertThat(get("/guarded", Map.of()).body()).contains("Caller not identified");
		assertThat(statuses("/guarded", 2)).containsExactly(200, 429);
	}

	@Test
	void admitsEveryoneInShadowMode() {
		assertThat(statuses("/shadow", 3)).containsOnly(200);
		assertThat(decisions()).hasSize(3);
	}

	@Test
	void respondsToAStoreFailureAsThePolicySays() {
		Map<String, String> broken = Map.of("X-Client", BROKEN);
		Reply failed = get("/one", broken);
		assertThat(failed.status()).isEqualTo(503);
		assertThat(failed.header("Retry-After")).isEqualTo("1");
		assertThat(failed.body()).contains("temporary-reduced-capacity").doesNotContain("secret");
		assertThat(get("/tolerant", broken).status()).isEqualTo(200);
	}

	@Test
	void replacesTheHeadersOfAnUpstreamThatLimits() {
		Reply reply = get("/talkative");
		assertThat(reply.header("RateLimit")).isEqualTo("\"one\";r=1;t=1800");
		assertThat(reply.header("RateLimit-Policy")).isEqualTo("\"one\";q=2;w=3600");
		assertThat(reply.header("RateLimit-Limit")).isNull();
		assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("10");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/v1/stripped", "/api/v1/stripped?a=b", "/api/v1/rewritten" })
	void namesThePathThatTheClientSentIfAFilterRewroteIt(String path) {
		assertThat(statuses(path, 2)).containsExactly(200, 200);
		assertThat(get(path).body()).contains("\"instance\":\"" + path.split("[?]", -1)[0] + "\"");
		String unusual = path.replaceFirst("(stripped|rewritten)", "$1/a&b");
		assertThat(get(unusual).body()).contains("\"instance\":\"" + unusual.split("[?]", -1)[0] + "\"");
	}

	@Test
	void passesOnAFormOfWhichARuleReadsAField() {
		String form = "email=" + this.client + "%40example.org&x=a+b";
		assertThat(Reply.post(this.port, "/mailed", form).body()).isEqualTo(form);
		assertThat(Reply.post(this.port, "/mailed", form).body()).isEqualTo(form);
		assertThat(Reply.post(this.port, "/mailed", form).status()).isEqualTo(429);
	}

	/** The policies of each decision on the client. */
	protected final List<List<String>> decisions() {
		return this.store.policies(this.client);
	}

	/** The statuses of several requests of the client. */
	protected final List<Integer> statuses(String path, int times) {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < times; i++) {
			statuses.add(get(path).status());
		}
		return statuses;
	}

	/** Sends a request of the client. */
	protected final Reply get(String path) {
		return get(path, Map.of("X-Client", this.client));
	}

	private Reply get(String path, Map<String, String> headers) {
		return Reply.get(this.port, path, headers);
	}

	/**
	 * Returns the headers without the name of the policy and what depends on the time.
	 */
	private static Map<String, String> headers(Reply reply) {
		Map<String, String> headers = new HashMap<>();
		reply.headers()
			.forEach((name, values) -> headers.put(name,
					values.toString().replaceAll("\"(one|rule)\"", "\"policy\"").replaceAll("t=\\d+", "t=_")));
		headers.replaceAll((name, value) -> List.of("date", "retry-after").contains(name) ? "time" : value);
		headers.replaceAll((name, value) -> name.equals("content-length") ? "length" : value);
		return headers;
	}

	/**
	 * An application that is a gateway of either flavour.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

		/** Fails for a client, and says more of it than callers should hear. */
		@Bean
		TestStore store() {
			return new TestStore().fail(BROKEN)
				.failWith(() -> new RateLimitStoreException("failed", new IllegalStateException("secret")))
				.decideOn(ForkJoinPool.commonPool());
		}

	}

}
