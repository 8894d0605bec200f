package io.github.ratelimit.sample;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample as those meet it who have to say who they are, and its partner.
 */
@Tag("long")
class SampleSecurityIT {

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--server.port=0", "--spring.http.clients.imperative.factory=jdk",
			"--ratelimit.http.trusted-proxies=127.0.0.1", "--ratelimit.policies.search.limits=2/1h",
			"--ratelimit.policies.api.limits=2/1h", "--ratelimit.policies.api.plans.premium=5/1h",
			"--ratelimit.policies.api-per-address.limits=1000/1d", "--ratelimit.policies.reports.limits=1/1s");

	private static final AtomicInteger TESTS = new AtomicInteger();

	private final int test = TESTS.incrementAndGet();

	/** Addresses that no other test has, as all tests call one sample. */
	private final String address = "203.0.113." + this.test;

	private final String otherAddress = "198.51.100." + this.test;

	private final RestTestClient client = RestTestClient.bindToServer(new JdkClientHttpRequestFactory())
		.baseUrl("http://localhost:" + SAMPLE.getEnvironment().getRequiredProperty("local.server.port"))
		.defaultHeader("X-Forwarded-For", this.address)
		.build();

	@BeforeEach
	void renewCustomers() {
		SAMPLE.getBean(Contracts.class).sign("acme", "none");
		for (String customer : List.of("acme", "initech")) {
			SAMPLE.getBean(RateLimiter.class).reset("api", "header:x-api-key:key-of-" + customer);
		}
	}

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void limitsSearchesOfEverybodyByARule() {
		assertThat(statuses(3, () -> get("/search?text=wins"))).containsExactly(200, 200, 429);
	}

	@Test
	void limitsLoginsOfAnAccountHoweverItIsSpelt() {
		List<String> spellings = List.of("ada", "ADA", "Ada", "aDA", "adA", "ada");
		assertThat(spellings.stream().map((user) -> status(login(user, "guess")))).containsExactly(401, 401, 401, 401,
				401, 429);
		assertThat(status(login("ada", "secret"))).isEqualTo(429);
		assertThat(status(login("grace", "guess"))).isEqualTo(401);
	}

	@Test
	void limitsLoginsOfAnAccountFromEachAddress() {
		assertThat(statuses(6, () -> login("ada", "guess"))).containsExactly(401, 401, 401, 401, 401, 429);
		assertThat(status(guessFromTheOtherAddress("ada"))).isEqualTo(401);
	}

	@Test
	void queuesReportsOnceLoggedIn() throws InterruptedException {
		assertThat(status(get("/reports/may"))).isEqualTo(401);
		String session = session();
		long start = System.nanoTime();
		List<Integer> statuses = atOnce(6, () -> status(report(session)));
		assertThat(statuses).containsOnly(200, 429)
			.filteredOn((status) -> status == 200)
			.hasSizeGreaterThanOrEqualTo(3);
		assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
	}

	@Test
	void limitsEachApiKeyOnceItIsKnown() {
		assertThat(statuses(3, () -> quotesOf("key-of-acme"))).containsExactly(200, 200, 429);
		assertThat(statuses(6, () -> quotesOf("key-of-initech"))).containsExactly(200, 200, 200, 200, 200, 429);
		assertThat(statuses(3, () -> quotesOf("made-up"))).containsOnly(401);
		assertThat(status(get("/api/quotes"))).isEqualTo(401);
	}

	@Test
	void stopsAnAddressThatGuessesApiKeys() {
		List<Integer> statuses = IntStream.range(0, 200)
			.mapToObj((guess) -> status(quotesOf("guess-" + guess)))
			.toList();
		assertThat(statuses.subList(0, 100)).containsOnly(401);
		assertThat(statuses.subList(100, 200)).containsOnly(429);
		assertThat(status(quotesOf("key-of-acme"))).isEqualTo(429);
		assertThat(status(quotesFromTheOtherAddress("key-of-acme"))).isEqualTo(200);
	}

	@Test
	void stopsAnAddressThatTriesOnePasswordOnManyAccounts() {
		List<Integer> statuses = IntStream.range(0, 100)
			.mapToObj((account) -> status(login("user-" + account, "guess")))
			.toList();
		assertThat(statuses.subList(0, 20)).containsOnly(401);
		assertThat(statuses.subList(20, 100)).containsOnly(429);
		assertThat(status(guessFromTheOtherAddress("user-1"))).isEqualTo(401);
	}

	@Test
	void letsAnAddressHaveAsMuchAsItsPlan() {
		assertThat(statuses(5, () -> quotesOf("key-of-initech"))).containsOnly(200);
		assertThat(statuses(2, () -> quotesOf("key-of-acme"))).containsOnly(200);
		assertThat(status(login("ada", "secret"))).isEqualTo(204);
	}

	@Test
	void keepsWhatWasSpentWhenACustomerSignsForMore() {
		assertThat(statuses(3, () -> quotesOf("key-of-acme"))).containsExactly(200, 200, 429);
		SAMPLE.getBean(Contracts.class).sign("acme", "premium");
		assertThat(statuses(4, () -> quotesOf("key-of-acme"))).containsExactly(200, 200, 200, 429);
	}

	@Test
	void leavesThePartnerAloneOnceItSaysThatNothingIsLeft() {
		assertThat(statuses(9, () -> get("/quotes/partner"))).containsExactly(200, 200, 200, 503, 503, 503, 503, 503,
				503);
		this.client.get()
			.uri("/actuator/metrics/ratelimit.requests?tag=policy:of-the-partner&tag=outcome:denied")
			.exchange()
			.expectBody()
			.jsonPath("$.measurements[0].value")
			.isEqualTo(0.0);
	}

	@Test
	void answersWhatIsNotThereAsSuch() {
		assertThat(status(get("/quotes/none"))).isEqualTo(404);
		assertThat(status(get("/none"))).isEqualTo(401);
	}

	private RestTestClient.ResponseSpec get(String uri) {
		return this.client.get().uri(uri).exchange();
	}

	private RestTestClient.ResponseSpec quotesOf(String apiKey) {
		return this.client.get().uri("/api/quotes").header("X-Api-Key", apiKey).exchange();
	}

	private RestTestClient.ResponseSpec login(String user, String password) {
		return this.client.post().uri("/login?user={user}&password={password}", user, password).exchange();
	}

	private RestTestClient.ResponseSpec quotesFromTheOtherAddress(String apiKey) {
		return this.client.get()
			.uri("/api/quotes")
			.header("X-Api-Key", apiKey)
			.header("X-Forwarded-For", this.otherAddress)
			.exchange();
	}

	private RestTestClient.ResponseSpec guessFromTheOtherAddress(String user) {
		return this.client.post()
			.uri("/login?user={user}&password=guess", user)
			.header("X-Forwarded-For", this.otherAddress)
			.exchange();
	}

	private String session() {
		String cookie = login("ada", "secret").expectStatus()
			.isNoContent()
			.returnResult()
			.getResponseHeaders()
			.getFirst(HttpHeaders.SET_COOKIE);
		return Objects.requireNonNull(cookie).split(";", 2)[0];
	}

	private RestTestClient.ResponseSpec report(String session) {
		return this.client.get().uri("/reports/may").header(HttpHeaders.COOKIE, session).exchange();
	}

	private static List<Integer> atOnce(int calls, Callable<Integer> call) throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(calls);
		try {
			return threads.invokeAll(Collections.nCopies(calls, call)).stream().map(SampleSecurityIT::result).toList();
		}
		finally {
			threads.shutdown();
		}
	}

	private static Integer result(Future<Integer> call) {
		try {
			return call.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<Integer> statuses(int calls, Supplier<RestTestClient.ResponseSpec> call) {
		return Stream.generate(call).limit(calls).map(SampleSecurityIT::status).toList();
	}

	private static int status(RestTestClient.ResponseSpec response) {
		return SampleClient.statusOf(response);
	}

}
