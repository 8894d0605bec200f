package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The limits of wrong passwords on every kind of server.
 */
abstract class LoginContract {

	static final int LIMIT = 5;

	/** The parts of Spring Boot's error responses that differ between any two. */
	private static final Pattern VARYING = Pattern.compile("\"(timestamp|requestId)\":\"[^\"]*\"");

	private static final Pattern SESSION = Pattern.compile("SESSION(ID)?=[^;]*");

	private static final Pattern ADDRESS = Pattern.compile("client-ip:[0-9a-f:/]*");

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	/** The end of names that no other test uses. Names that begin with "user" exist. */
	private final String unique = UUID.randomUUID().toString();

	private final String user = "user-" + this.unique;

	private final Map<Store, RealClient> clients = new ConcurrentHashMap<>();

	private int addresses;

	abstract ConfigurableApplicationContext start(String... properties);

	@ParameterizedTest
	@EnumSource
	void deniesTheRightPasswordOfAnAccountAfterWrongOnes(Login login) {
		for (int guess = 0; guess < LIMIT; guess++) {
			// Anybody may register a name that counts alike
			login.send(client(Store.MEMORY), this.user.replace("-", ""), "secret", address());
			assertThat(login.isRefused(login.send(client(Store.MEMORY), this.user, "guess", address()))).isTrue();
		}
		Response denial = login.send(client(Store.MEMORY), this.user, "secret", address());
		assertThat(denial.status()).isEqualTo(429);
		assertThat(denial.header("Location")).isNull();
		assertThat(denial.header("Retry-After")).isNotNull();
		assertThat(denial.header("Content-Type")).startsWith("application/problem+json");
		assertThat(denial.body()).contains("\"violated-policies\":[\"login-account\"]").doesNotContain(this.unique);
		assertThat(login.isAdmitted(login.send(client(Store.MEMORY), this.user + "-2", "secret", address()))).isTrue();
		assertThat(passwords(Store.MEMORY).checked(this.user)).isEqualTo(LIMIT);
		assertThat(decisions(Store.MEMORY).charged(this.user)).isEqualTo(LIMIT);
		assertThat(decisions(Store.MEMORY).denied(this.user)).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void bansAnAccountByThePenaltyOfItsPolicy(Login login) {
		ConfigurableApplicationContext banning = application(Store.MEMORY,
				"ratelimit.policies.login-account.penalty.after=3/1m");
		RealClient client = new RealClient(port(banning));
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
		Response response = login.send(client, this.user, "guess", address());
		while (response.status() != 403 && System.nanoTime() < end) {
			response = login.send(client, this.user, "guess", address());
		}
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.body()).contains("Caller blocked").doesNotContain(this.unique);
		assertThat(banning.getBean(CheckedPasswords.class).checked(this.user)).isEqualTo(LIMIT);
	}

	@ParameterizedTest
	@EnumSource
	void refusesLoginsThatCannotBeCounted(Login login) {
		ConfigurableApplicationContext failing = application(Store.MEMORY, "ratelimit.on-store-failure=deny",
				"ratelimit.store=redis", "spring.data.redis.port=1");
		Response response = login.send(new RealClient(port(failing)), this.user, "secret", address());
		assertThat(response.status()).isEqualTo(503);
		assertThat(failing.getBean(CheckedPasswords.class).checked(this.user)).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void deniesAnAddressThatGuessesForManyAccounts(Login login) {
		String address = address();
		for (int guess = 0; guess < 2 * LIMIT; guess++) {
			assertThat(login.isRefused(login.send(client(Store.MEMORY), this.user + '-' + guess, "guess", address)))
				.isTrue();
		}
		assertThat(login.send(client(Store.MEMORY), this.user, "secret", address).body())
			.contains("\"violated-policies\":[\"login-address\"]");
		assertThat(login.isAdmitted(login.send(client(Store.MEMORY), this.user, "secret", address()))).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void chargesNoRightPassword(Login login) {
		String address = address();
		for (int right = 0; right < 3 * LIMIT; right++) {
			assertThat(login.isAdmitted(login.send(client(Store.MEMORY), this.user, "secret", address))).isTrue();
		}
		for (int guess = 0; guess < LIMIT; guess++) {
			assertThat(login.isRefused(login.send(client(Store.MEMORY), this.user, "guess", address))).isTrue();
		}
		assertThat(login.send(client(Store.MEMORY), this.user, "guess", address).status()).isEqualTo(429);
	}

	/** The last guess is the right password of the account that exists. */
	@ParameterizedTest
	@EnumSource
	void respondsAlikeWhetherAnAccountExists(Login login) {
		List<String> known = responses(login, this.user);
		assertThat(known).hasSize(LIMIT + 2).last().asString().startsWith("429");
		assertThat(responses(login, "unknown-" + this.unique)).isEqualTo(known);
	}

	@ParameterizedTest
	@EnumSource
	void callsTheStoreAlikeWhetherAnAccountExists(Login login) {
		List<String> known = requests(login, this.user);
		assertThat(known).hasSize(LIMIT * 4 + 2 * 4);
		assertThat(requests(login, "unknown-" + this.unique)).isEqualTo(known);
	}

	@ParameterizedTest
	@EnumSource
	void checksThePasswordOfAnAccountThatDoesNotExistToo(Login login) {
		login.send(client(Store.MEMORY), "unknown-" + this.unique, "guess", address());
		int before = passwords(Store.MEMORY).checked(CheckedPasswords.ENCODED);
		assertThat(login.isRefused(login.send(client(Store.MEMORY), "unknown-" + this.unique, "guess", address())))
			.isTrue();
		assertThat(passwords(Store.MEMORY).checked(CheckedPasswords.ENCODED)).isEqualTo(before + 1);
	}

	private List<String> responses(Login login, String account) {
		return guesses(login, account).map(LoginContract::comparable).toList();
	}

	/** Returns the requests to the store, without the names of account and address. */
	private List<String> requests(Login login, String account) {
		TestStore store = application(Store.RECORDED).getBean(TestStore.class);
		int before = store.requests().size();
		assertThat(guesses(login, account)).hasSize(LIMIT + 2);
		return store.requests()
			.stream()
			.skip(before)
			.map((request) -> ADDRESS.matcher(request.toString().replace(TypedName.of(account), "ACCOUNT"))
				.replaceAll("ADDRESS"))
			.toList();
	}

	private Stream<Response> guesses(Login login, String account) {
		return IntStream.range(0, LIMIT + 2)
			.mapToObj((guess) -> login.send(client(Store.RECORDED), account, (guess > LIMIT) ? "secret" : "guess",
					address()));
	}

	/** Returns a response without the parts that differ between any two. */
	private static String comparable(Response response) {
		String body = VARYING.matcher(response.body()).replaceAll("");
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		response.headers().forEach((name, values) -> headers.put(name, values.toString()));
		headers.remove("Date");
		headers.computeIfPresent("Content-Length", (name, length) -> String.valueOf(body.length()));
		headers.computeIfPresent("Set-Cookie", (name, cookie) -> SESSION.matcher(cookie).replaceFirst("SESSION"));
		return response.status() + " " + headers + body;
	}

	@Test
	void logsInByAFormOfWhichARuleReadsAField() {
		RealClient client = new RealClient(port(application(Store.MEMORY, "ratelimit.policies.each-name.limits=2/1h",
				"ratelimit.policies.each-name.key=form:username", "ratelimit.rules[0].paths=/login",
				"ratelimit.rules[0].policies=each-name", "ratelimit.rules[0].phase=before-security")));
		assertThat(Login.FORM.isAdmitted(Login.FORM.send(client, this.user, "secret", address()))).isTrue();
		assertThat(Login.FORM.isRefused(Login.FORM.send(client, this.user, "guess", address()))).isTrue();
		assertThat(Login.FORM.send(client, this.user, "secret", address()).body()).contains("each-name");
	}

	@Test
	void limitsRequestsForOneTimeTokensByARule() {
		RealClient client = new RealClient(port(application(Store.MEMORY, "ratelimit.policies.each-name.limits=2/1h",
				"ratelimit.policies.each-name.key=form:username", "ratelimit.rules[0].paths=/ott/generate",
				"ratelimit.rules[0].methods=POST", "ratelimit.rules[0].policies=each-name",
				"ratelimit.rules[0].phase=before-security")));
		assertThat(Stream.of(this.user, this.user.toUpperCase(Locale.ROOT), "%C3%BC" + this.user.substring(1))
			.map((name) -> client
				.send("POST", "/ott/generate", Map.of("Content-Type", "application/x-www-form-urlencoded"),
						"username=" + name)
				.status()))
			.containsExactly(200, 200, 429);
	}

	@Test
	void countsAllSpellingsOfAnAccountTogether() {
		String[] spellings = { this.user, this.user.toUpperCase(Locale.ROOT), " " + this.user, this.user + " ",
				"\u00DC" + this.user.substring(1), "us\u200De" + this.user.substring(3) };
		assertThat(Stream.of(spellings)
			.map((account) -> Login.BASIC.send(client(Store.MEMORY), account, "guess", address()).status()))
			.containsExactly(401, 401, 401, 401, 401, 429);
	}

	@Test
	void countsLongNamesByTheirBeginning() {
		String longName = this.user + "x".repeat(1000);
		assertThat(IntStream.range(0, LIMIT + 1)
			.mapToObj((guess) -> Login.BASIC.send(client(Store.MEMORY), longName + guess, "guess", address()).status()))
			.containsExactly(401, 401, 401, 401, 401, 429);
	}

	@Test
	void countsNoFailureOfAService() {
		for (int attempt = 0; attempt < 3 * LIMIT; attempt++) {
			assertThat(Login.BASIC.send(client(Store.MEMORY), "broken-" + this.unique, "secret", address()).status())
				.isNotEqualTo(429);
		}
	}

	@Test
	void countsPasswordsWithoutAnAccountTogether() {
		List<String> nothing = List.of("", " ", "\u200B", "\u0301", "", "");
		List<Response> responses = nothing.stream()
			.map((account) -> Login.BASIC.send(client(Store.MEMORY), account, "guess", address()))
			.toList();
		assertThat(responses.stream().map(Response::status)).containsExactly(401, 401, 401, 401, 401, 429);
		assertThat(responses.get(LIMIT).body()).contains("\"violated-policies\":[\"login-account\"]");
	}

	@ParameterizedTest
	@EnumSource(names = { "MEMORY", "REDIS", "REDIS_AGAIN" })
	void admitsNoMoreGuessesThanTheLimitAtOnce(Store store) {
		CheckedPasswords passwords = passwords(store);
		List<Integer> statuses = inParallel(100,
				(guess) -> Login.BASIC.send(client(store), this.user, "guess", "10.0." + guess + ".1").status());
		assertThat(statuses).containsOnly(401, 429);
		assertThat(statuses.stream().filter((status) -> status == 401)).hasSize(LIMIT);
		assertThat(passwords.checked(this.user)).isEqualTo(LIMIT);
	}

	@ParameterizedTest
	@EnumSource(names = { "MEMORY", "REDIS", "REDIS_AGAIN" })
	void admitsRightPasswordsThatAreCheckedAtOnce(Store store) throws Exception {
		for (int guess = 1; guess < LIMIT; guess++) {
			assertThat(Login.BASIC.send(client(store), this.user, "guess", address()).status()).isEqualTo(401);
		}
		CountDownLatch first = passwords(store).hold(this.user);
		List<Integer> statuses = inParallel(20, (login) -> {
			if (login == 19) {
				first.countDown();
			}
			return Login.BASIC.send(client(login % 2 == 0 ? store : store.other()), this.user, "secret", address())
				.status();
		});
		assertThat(statuses).hasSize(20).containsOnly(200);
		assertThat(decisions(store).denied(this.user) + decisions(store.other()).denied(this.user)).isZero();
		assertThat(Login.BASIC.send(client(store), this.user, "guess", address()).status()).isEqualTo(401);
		assertThat(Login.BASIC.send(client(store), this.user, "secret", address()).status()).isEqualTo(429);
	}

	/** Sends 2,000 guesses, or as many as {@code -Dtest.guesses} says. */
	@ParameterizedTest
	@EnumSource(names = { "MEMORY", "REDIS" })
	void admitsNoMoreGuessesForAnAccountThanTheLimitFromAThousandAddresses(Store store) {
		int guesses = Integer.getInteger("test.guesses", 2000);
		AtomicInteger admitted = new AtomicInteger();
		inParallel(8, (sender) -> {
			for (int guess = sender; guess < guesses; guess += 8) {
				String address = "10.1." + guess % 1000 / 250 + "." + guess % 250;
				if (Login.BASIC.send(client(store), this.user, "guess-" + guess, address).status() != 429) {
					admitted.incrementAndGet();
				}
			}
			return sender;
		});
		assertThat(admitted).hasValue(LIMIT);
	}

	private static <T> List<T> inParallel(int calls, IntFunction<T> call) {
		ExecutorService threads = Executors.newFixedThreadPool(calls);
		try {
			List<Future<T>> pending = new ArrayList<>();
			for (int i = 0; i < calls; i++) {
				int number = i;
				pending.add(threads.submit(() -> call.apply(number)));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> result : pending) {
				results.add(result.get());
			}
			return results;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			threads.shutdown();
		}
	}

	/** Returns an address that no other request of this test has. */
	private synchronized String address() {
		this.addresses++;
		return "2001:db8:" + this.unique.substring(0, 4) + ":" + this.addresses + "::1";
	}

	CheckedPasswords passwords(Store store) {
		return application(store).getBean(CheckedPasswords.class);
	}

	private LoginDecisions decisions(Store store) {
		return application(store).getBean(LoginDecisions.class);
	}

	RealClient client(Store store) {
		return this.clients.computeIfAbsent(store, (any) -> new RealClient(port(application(store))));
	}

	/** Returns an application that runs until the last test, as some share threads. */
	private synchronized ConfigurableApplicationContext application(Store store, String... more) {
		return APPLICATIONS.get(List.of(getClass(), store, List.of(more)), () -> start(Stream
			.of(Stream.of("server.port=0", "ratelimit.policies.login-account.limits=" + LIMIT + "/1h",
					"ratelimit.policies.login-address.limits=" + 2 * LIMIT + "/1h",
					"ratelimit.login.account=login-account", "ratelimit.login.address=login-address",
					"ratelimit.http.trusted-proxies=127.0.0.1,::1"), Stream.of(store.properties()), Stream.of(more))
			.flatMap((properties) -> properties)
			.toArray(String[]::new)));
	}

	private static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/** A store whose requests tests compare, at a time that stands still. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("test.store.recorded")
	static class RecordedStore {

		@Bean
		TestStore store() {
			return new TestStore(() -> TimeUnit.DAYS.toMicros(20_000));
		}

	}

	/** The stores, and another instance of the application on the same one. */
	enum Store {

		MEMORY, REDIS, REDIS_AGAIN, RECORDED;

		String[] properties() {
			if (this == MEMORY || this == RECORDED) {
				return new String[] { "ratelimit.store=memory", "test.store.recorded=" + (this == RECORDED) };
			}
			TestRedis redis = TestRedis.shared();
			return new String[] { "ratelimit.store=redis", "spring.data.redis.host=" + redis.host(),
					"spring.data.redis.port=" + redis.port(), "ratelimit.redis.timeout=5s" };
		}

		Store other() {
			return switch (this) {
				case MEMORY -> MEMORY;
				case RECORDED -> RECORDED;
				case REDIS -> REDIS_AGAIN;
				case REDIS_AGAIN -> REDIS;
			};
		}

	}

}
