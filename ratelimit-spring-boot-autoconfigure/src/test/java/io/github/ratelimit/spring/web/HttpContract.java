package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses to clients on every kind of server.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class HttpContract {

	private static final String JSON = "application/problem+json";

	private final String client = UUID.randomUUID().toString();

	/** Returns the store of the application. */
	abstract TestStore store();

	/** Sends a request, its path as it is, and the body as JSON if it is not empty. */
	abstract Response send(String method, String path, Map<String, String> headers, String body);

	@Test
	void reportsOneDecisionToAdmittedAndDeniedCallers() {
		Response first = get("/method");
		assertThat(first.status()).isEqualTo(200);
		assertThat(first.header("RateLimit-Policy")).isEqualTo("\"method\";q=2;w=3600");
		assertThat(first.header("RateLimit")).isEqualTo("\"method\";r=1;t=1800");
		assertThat(first.header("Retry-After")).isNull();
		assertThat(get("/method").header("RateLimit")).startsWith("\"method\";r=0;t=3");
		Response denied = get("/method");
		assertThat(denied.status()).isEqualTo(429);
		assertThat(denied.header("RateLimit-Policy")).isEqualTo("\"method\";q=2;w=3600");
		assertThat(denied.header("RateLimit")).isEqualTo("\"method\";r=0;t=" + denied.header("Retry-After"));
		assertThat(decisions()).hasSize(3).containsOnly(List.of("method"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/method", "/mono", "/stage", "/both", "/nested", "/open/1", "/first/1", "/get", "/later",
			"/missing", "/dear" })
	void knowsTheCallerAndRespondsWithProblemDetailsWhateverTheClientAccepts(String path) {
		int admitted = 0;
		while (admitted < 3 && get(path).status() != 429) {
			admitted++;
		}
		assertThat(admitted).isEqualTo(path.equals("/dear") ? 1 : 2);
		for (String accept : List.of("application/json", "text/html", "application/xml", "image/png", "*/*")) {
			Response denied = send("GET", path, Map.of("X-Client", this.client, "Accept", accept), "");
			assertThat(denied.status()).isEqualTo(429);
			assertThat(denied.header("Content-Type")).startsWith(JSON);
			assertThat(denied.header("Retry-After")).matches("[1-9][0-9]*");
			assertThat(denied.body()).contains("problem-types#quota-exceeded", "violated-policies");
		}
		assertThat(send("GET", path, Map.of("X-Client", this.client + "2"), "").status()).isNotEqualTo(429);
	}

	@Test
	void decidesOnARuleAndAnAnnotationTogether() {
		assertThat(get("/both").header("RateLimit")).isEqualTo("\"rule\";r=1;t=1800, \"method\";r=1;t=1800");
		assertThat(decisions()).containsExactly(List.of("rule", "method"));
	}

	@Test
	void chargesNoRuleWhereTheAnnotationDenies() {
		assertThat(statuses("/method", 2)).containsOnly(200);
		assertThat(statuses("/both", 3)).containsOnly(429);
		assertThat(statuses("/open/1", 3)).containsExactly(200, 200, 429);
	}

	@Test
	void chargesNoAnnotationWhereTheRuleDenies() {
		assertThat(statuses("/open/1", 2)).containsOnly(200);
		assertThat(statuses("/both", 3)).containsOnly(429);
		assertThat(statuses("/method", 3)).containsExactly(200, 200, 429);
	}

	@Test
	void decidesOnARuleTogetherWithAnAnnotationThatNeedsArguments() {
		String text = "{\"id\":\"" + this.client + "\"}";
		assertThat(post("/texts", text).status()).isEqualTo(200);
		assertThat(decisions()).containsExactly(List.of("rule", "texts"));
	}

	@Test
	void chargesTheRuleWhereTheArgumentsThatTheAnnotationNeedsAreWrong() {
		assertThat(post("/texts", "{").status()).isEqualTo(400);
		assertThat(decisions()).containsExactly(List.of("rule"));
	}

	@Test
	void deniesByTheRuleWhereTheArgumentsThatTheAnnotationNeedsAreWrong() {
		assertThat(Stream.generate(() -> post("/texts", "{").status()).limit(4)).containsExactly(400, 400, 429, 429);
		assertThat(post("/texts", "{}").status()).isEqualTo(429);
		assertThat(decisions()).hasSize(5);
	}

	@Test
	void refusesABlockedCallerWhereTheArgumentsThatTheAnnotationNeedsAreWrong(CapturedOutput output) {
		Response refused = send("POST", "/texts", Map.of("X-Client", this.client, "X-Blocked", "yes"), "{");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(output).doesNotContain("BlockedCallerException");
	}

	@Test
	void decidesBeforeTheBodyIsRead() {
		assertThat(post("/body", "{").status()).isEqualTo(400);
		assertThat(post("/body", "{").status()).isEqualTo(400);
		assertThat(post("/body", "{").status()).isEqualTo(429);
	}

	@Test
	void limitsByAFieldOfAFormThatTheHandlerReadsAgain() {
		Map<String, String> form = Map.of("Content-Type", "application/x-www-form-urlencoded");
		String body = "client=" + this.client + "&x=1";
		assertThat(send("POST", "/form", form, body).body()).isEqualTo(this.client);
		assertThat(send("POST", "/form", form, body).header("RateLimit")).startsWith("\"form\";r=0;t=3");
		assertThat(send("POST", "/form", form, body).status()).isEqualTo(429);
		assertThat(store().policies(TypedName.of(this.client))).hasSize(3).containsOnly(List.of("form"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/fails", "/later", "/missing", "/open/1", "/first/1" })
	void chargesARequestOnceHoweverItIsDispatched(String path) {
		get(path);
		assertThat(decisions()).containsExactly(List.of("rule"));
	}

	@Test
	void countsHeadAsGet() {
		assertThat(send("HEAD", "/get", Map.of("X-Client", this.client), "").status()).isEqualTo(200);
		assertThat(send("HEAD", "/method", Map.of("X-Client", this.client), "").header("RateLimit"))
			.isEqualTo("\"method\";r=1;t=1800");
		assertThat(statuses("/get", 2)).containsExactly(200, 429);
		assertThat(post("/get", "{}").status()).isEqualTo(405);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/open/1", "/first/1", "/method", "/both" })
	void doesNotChargePreflights(String path) {
		Map<String, String> preflight = Map.of("X-Client", this.client, "Origin", "https://example.org",
				"Access-Control-Request-Method", "GET");
		for (int i = 0; i < 3; i++) {
			assertThat(send("OPTIONS", path, preflight, "").status()).isNotEqualTo(429);
		}
		assertThat(decisions()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "//open/1", "/./open/1", "/open/./1", "/open//1", "/open/1/", "/OPEN/1", "/open;v=1/1",
			"/open/1;v=1", "/op%65n/1", "/%2e/open/1", "/x/../open/1", "/open/%31", "/open%2F1", "/open/1?x=1" })
	void countsEverySpellingOfAPathTogether(String spelling) {
		assertThatIsLimitedWith("/open/1", spelling);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "//method", "/./method", "/method/", "/METHOD", "/method;v=1", "/m%65thod", "/%2e/method" })
	void countsEverySpellingOfTheAddressOfAMethodTogether(String spelling) {
		assertThatIsLimitedWith("/method", spelling);
	}

	@Test
	void appliesARuleWhereItsConditionHolds() {
		Map<String, String> beta = Map.of("X-Client", this.client, "X-Beta", "yes");
		assertThat(statuses("/when", 3)).containsOnly(200);
		assertThat(decisions()).isEmpty();
		assertThat(send("GET", "/when", beta, "").header("RateLimit")).isEqualTo("\"rule\";r=1;t=1800");
	}

	@Test
	void appliesARuleWhoseConditionFails() {
		assertThat(statuses("/odd/1", 3)).containsExactly(200, 200, 429);
		Map<String, String> odd = Map.of("X-Client", this.client, "X-Odd", "odd");
		assertThat(send("GET", "/odd/1", odd, "").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "//", "///", "//:0", "/%20", "/%E4%BD%A0", "/a%0d%0ab", "/%00" })
	void deniesWhateverThePath(String path) {
		Map<String, String> all = Map.of("X-Client", this.client, "X-All", "yes");
		send("GET", "/open", all, "");
		send("GET", "/open", all, "");
		assertThat(send("GET", path, all, "").status()).isIn(400, 429);
	}

	@Test
	void waitsForTheArgumentsThatAResolverMayNeed() {
		assertThat(statuses("/things/" + this.client, 3)).containsExactly(200, 200, 429);
		assertThat(get("/things/2" + this.client).status()).isEqualTo(200);
	}

	@Test
	void reportsEveryDecisionOfARequest() {
		assertThat(get("/nested").header("RateLimit-Policy")).isEqualTo("\"method\";q=2;w=3600, \"bean\";q=2;w=3600");
		assertThat(decisions()).containsExactly(List.of("method"), List.of("bean"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/open/1", "/first/1", "/method", "/both", "/mono" })
	void respondsToAStoreFailureWithServiceUnavailable(String path) {
		Response failed = send("GET", path, Map.of("X-Client", ContractApplication.BROKEN, "Accept", "text/html"), "");
		assertThat(failed.status()).isEqualTo(503);
		assertThat(failed.header("Retry-After")).isEqualTo("1");
		assertThat(failed.header("Content-Type")).startsWith(JSON);
		assertThat(failed.body()).contains("temporary-reduced-capacity").doesNotContain("secret");
	}

	@Test
	void respondsToRejectionsOfConcurrencyLimitAlike() {
		Response rejected = get("/crowded");
		assertThat(rejected.status()).isEqualTo(503);
		assertThat(rejected.header("Retry-After")).isEqualTo("1");
		assertThat(rejected.body()).contains("temporary-reduced-capacity").doesNotContain("secret");
	}

	@ParameterizedTest
	@CsvSource({ "536870912, 0, Too large", "0, 1E%2B5000000, Too large", "0, -0.99, Invalid cost",
			"0, -1E-5000000, Invalid cost" })
	@Timeout(10)
	void respondsToAnInvalidCostWithUnprocessableContentAndOneLineInTheLogAtMost(int n, String more, String title,
			CapturedOutput log) {
		get("/costing?n=0&more=0");
		long before = log.getAll().lines().count();
		Response refused = get("/costing?n=" + n + "&more=" + more);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.header("Content-Type")).startsWith(JSON);
		assertThat(refused.header("Retry-After")).isNull();
		assertThat(refused.body()).contains(title, "\"violated-policies\":[\"method\"]");
		assertThat(log.getAll().lines().count()).isLessThanOrEqualTo(before + 1);
		assertThat(decisions()).hasSize(1);
	}

	@Test
	void respondsToAnInvalidCostOfARuleWithUnprocessableContentAndOneLineInTheLogAtMost(CapturedOutput log) {
		long before = log.getAll().lines().count();
		Response refused = send("GET", "/units", Map.of("X-Client", this.client, "X-Units", "many"), "");
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.header("Content-Type")).startsWith(JSON);
		assertThat(refused.body()).contains("Invalid cost", "\"violated-policies\":[\"rule\"]").doesNotContain("many");
		assertThat(log.getAll().lines().count()).isLessThanOrEqualTo(before + 1);
		assertThat(get("/units").status()).isEqualTo(422);
		assertThat(decisions()).isEmpty();
	}

	/** Compares with a client that is not denied, as the spelling may lead nowhere. */
	private void assertThatIsLimitedWith(String path, String spelling) {
		int served = send("GET", spelling, Map.of("X-Client", this.client + "2"), "").status();
		assertThat(statuses(path, 2)).containsOnly(200);
		if (served == 200) {
			assertThat(get(spelling).status()).isEqualTo(429);
		}
		else {
			assertThat(served).isIn(400, 404);
			assertThat(get(spelling).status()).isIn(400, 404, 429);
		}
	}

	private List<List<String>> decisions() {
		return store().policies(this.client);
	}

	private List<Integer> statuses(String path, int times) {
		return Stream.generate(() -> get(path).status()).limit(times).toList();
	}

	private Response get(String path) {
		return send("GET", path, Map.of("X-Client", this.client), "");
	}

	private Response post(String path, String body) {
		return send("POST", path, Map.of("X-Client", this.client, "Content-Type", "application/json"), body);
	}

}
