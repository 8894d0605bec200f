package io.github.ratelimit.autoconfigure.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.core.StringRedisTemplate;

import static io.github.ratelimit.autoconfigure.redis.RedisApplication.limiter;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The limiter's connection beside the application's, and what it does when an application
 * starts.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class RedisConnectionIT {

	private static final Charge CHARGE = Charge.of("three", "alice");

	@Test
	void isNextToTheApplicationsAndEndsWithTheApplication() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).run((context) -> {
				assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
				context.getBean(StringRedisTemplate.class).hasKey("any");
				assertThat(clients(redis)).containsExactlyInAnyOrder("app", "ratelimit:counts");
			});
			await().untilAsserted(() -> assertThat(clients(redis)).isEmpty());
		}
	}

	@Test
	void isNamedAfterTheApplicationAndItsPurpose() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port())
				.withPropertyValues("spring.application.name=my shop", "ratelimit.redis.key-prefix=shop",
						"ratelimit.redis.controls=true")
				.run((context) -> {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
					context.getBean(Controls.class).refresh();
					context.getBean(StringRedisTemplate.class).hasKey("any");
					assertThat(clients(redis)).containsExactlyInAnyOrder("app", "ratelimit:my%20shop:counts",
							"ratelimit:my%20shop:controls");
				});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void isClosedWhileTheApplicationIsStopped(boolean dedicated) {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port())
				.withPropertyValues("ratelimit.redis.controls=true",
						"ratelimit.redis.dedicated-connection=" + dedicated)
				.run((context) -> {
					RateLimiter limiter = limiter(context);
					assertThat(only(limiter.acquire(CHARGE)).remaining()).isEqualTo(2);
					context.getBean(Controls.class).refresh();
					context.stop();
					await().untilAsserted(() -> assertThat(clients(redis)).isEmpty());
					assertThat(decides(limiter)).isFalse();
					assertThat(clients(redis)).isEmpty();
					context.start();
					await().until(() -> decides(limiter));
					assertThat(only(limiter.peek(List.of(CHARGE))).remaining()).isEqualTo(1);
					context.getBean(Controls.class).refresh();
					assertThat(clients(redis))
						.containsAll(dedicated ? List.of("ratelimit:counts", "ratelimit:controls") : List.of("app"));
				});
		}
	}

	@Test
	void isTheApplicationsWhereConfigured() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).withPropertyValues("ratelimit.redis.dedicated-connection=false")
				.run((context) -> {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
					context.getBean(StringRedisTemplate.class).hasKey("any");
					assertThat(clients(redis)).containsExactly("app");
				});
		}
	}

	@Test
	void decidesWithinTwoSecondsOfRedisComingUp() {
		RedisProcess redis = RedisProcess.start();
		redis.kill();
		application(redis.port()).run((context) -> {
			RateLimiter limiter = limiter(context);
			await().until(() -> context.getBean(RateLimitStore.class).breakerState(), (state) -> {
				decides(limiter);
				return state == BreakerState.OPEN;
			});
			redis.restart();
			await().atMost(Duration.ofSeconds(2)).pollInterval(Duration.ofMillis(10)).until(() -> decides(limiter));
		});
		redis.close();
	}

	@Test
	void isThereBeforeTheApplicationStartsWhereItMustBe() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).withPropertyValues("ratelimit.redis.fail-fast=true")
				.run((context) -> assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue());
		}
	}

	@Test
	void stopsTheStartUpWhereItMustBeAndIsNot() {
		application(1).withPropertyValues("ratelimit.redis.fail-fast=true")
			.run((context) -> assertThat(invalid(context)).hasMessageContainingAll("ratelimit.redis.fail-fast",
					"connection"));
	}

	private static Throwable invalid(AssertableApplicationContext context) {
		return Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
			.filter(InvalidRateLimitConfigurationException.class::isInstance)
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@ValueSource(strings = { "password=wrong", "username=nobody", "client-name=app" })
	void saysThatCredentialsAreWrongWhereItMustBeThere(String credentials) {
		try (RedisProcess redis = RedisProcess.start("--requirepass", "right")) {
			application(redis.port())
				.withPropertyValues("ratelimit.redis.fail-fast=true", "spring.data.redis." + credentials)
				.run((context) -> assertThat(invalid(context))
					.hasMessageContaining("Redis was reached but refused: auth ("));
		}
	}

	@Test
	void saysSoTooWhereTheFirstConnectionBroke() throws IOException {
		CompletableFuture<Void> answers;
		try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			answers = CompletableFuture.runAsync(() -> breakOneAndRefuseOthers(server));
			application(server.getLocalPort())
				.withPropertyValues("ratelimit.redis.fail-fast=true", "spring.data.redis.password=wrong",
						"spring.data.redis.host=127.0.0.1")
				.run((context) -> assertThat(invalid(context))
					.hasMessageContaining("Redis was reached but refused: auth ("));
		}
		assertThat(answers).succeedsWithin(Duration.ofSeconds(5));
	}

	private static void breakOneAndRefuseOthers(ServerSocket server) {
		try {
			server.accept().close();
			while (true) {
				try (Socket socket = server.accept()) {
					assertThat(socket.getInputStream().read()).isPositive();
					socket.getOutputStream().write("-WRONGPASS invalid\r\n".getBytes(StandardCharsets.US_ASCII));
					assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
				}
			}
		}
		catch (IOException ex) {
			// The test is over.
		}
	}

	@Test
	void warnsThatCallsAreNotLimited(CapturedOutput output) {
		List<String> warnings = failOpenWarnings(() -> application(1)
			.withPropertyValues("ratelimit.on-store-failure=allow", "ratelimit.policies.both.on-store-failure=deny")
			.run((context) -> {
				for (int call = 0; call < 100; call++) {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
				}
			}));
		assertThat(warnings).singleElement()
			.asString()
			.contains("NOT limited", "Redis at localhost:1 does not decide", "'allow': three.", "'local' or 'deny'");
		assertThat(output).contains("Redis at localhost:1 does not decide on rate limits: connection");
	}

	@Test
	void warnsOfNoLimitsThatApply() {
		assertThat(failOpenWarnings(() -> application(1).withPropertyValues("ratelimit.on-store-failure=local")
			.run((context) -> assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue()))).isEmpty();
	}

	/**
	 * Returns what the core logs, to a logger of the JDK, that is not always captured.
	 */
	private static List<String> failOpenWarnings(Runnable calls) {
		List<String> warnings = new CopyOnWriteArrayList<>();
		Logger logger = Logger.getLogger("io.github.ratelimit.FailOpenLog");
		logger.setFilter((entry) -> warnings.add(entry.getMessage()));
		try {
			calls.run();
		}
		finally {
			logger.setFilter(null);
		}
		return warnings;
	}

	@Test
	void warnsOfEviction(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--maxmemory-policy", "allkeys-lru")) {
			application(redis.port()).run((context) -> await().until(output::getAll,
					(text) -> text.contains("its maxmemory-policy is 'allkeys-lru'")));
		}
	}

	@Test
	void namesTheCommandsThatScriptsMayNotRun(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~ratelimit:*", "+@all", "-set",
				"-config")) {
			application(redis.port())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
				.run((context) -> await().until(output::getAll,
						(text) -> text.contains("may not run what rate limits need on keys 'ratelimit:*': SET")));
		}
	}

	@Test
	void isNamedAlsoIfTheUserMayNotRunClientSetname() {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~*", "+@all", "-client")) {
			RedisApplication.application("lettuce", "port=" + redis.port(), "username=app", "password=secret")
				.run((context) -> {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
					assertThat(clients(redis)).containsExactly("ratelimit:counts");
				});
		}
	}

	@Test
	void namesTheCommandWithoutWhichItCannotDecide(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~*", "+@all", "-evalsha")) {
			application(redis.port())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
				.run((context) -> await().until(output::getAll,
						(text) -> text.contains("may not run what rate limits need on keys 'ratelimit:*': EVALSHA")));
			assertThat(output).doesNotContain("secret");
		}
	}

	/** The rights are those of docs/redis.md. */
	@Test
	void warnsOfNothingWhereTheUserHasTheDocumentedRights(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~ratelimit:shop:*", "+evalsha",
				"+eval", "+time", "+get", "+set", "+getrange", "+setrange", "+pexpire", "+del", "+ping", "+hello",
				"+client|setname", "+config|get")) {
			application(redis.port())
				.withPropertyValues("spring.application.name=shop", "spring.data.redis.username=app",
						"spring.data.redis.password=secret")
				.run((context) -> {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
					limiter(context).reset("three", "alice");
					await().until(() -> redis.commands().info("commandstats"), (stats) -> stats.contains("config|get"));
				});
			assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).isEmpty();
		}
	}

	@Test
	void countsApartForApplicationsOfOtherNames() {
		try (RedisProcess redis = RedisProcess.start()) {
			for (String name : List.of("shop", "{warehouse} 2", "shop")) {
				application(redis.port()).withPropertyValues("spring.application.name=" + name)
					.run((context) -> limiter(context).acquire(CHARGE));
			}
			application(redis.port())
				.withPropertyValues("spring.application.name=shop", "ratelimit.redis.key-prefix=ratelimit")
				.run((context) -> assertThat(only(limiter(context).acquire(CHARGE)).remaining()).isEqualTo(2));
			application(redis.port()).withPropertyValues("spring.application.name=shop")
				.run((context) -> assertThat(only(limiter(context).acquire(CHARGE)).remaining()).isZero());
			assertThat(redis.keys()).filteredOn((key) -> !key.endsWith("{application}"))
				.extracting((key) -> key.substring(0, key.indexOf(":1:")))
				.containsExactlyInAnyOrder("ratelimit:shop", "ratelimit:%7Bwarehouse%7D%202", "ratelimit");
		}
	}

	@Test
	void warnsOfNothingWhereNothingIsWrong(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).run((context) -> {
				assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
				await().until(() -> redis.commands().info("commandstats"), (stats) -> stats.contains("config|get"));
			});
			assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).isEmpty();
		}
	}

	private static ApplicationContextRunner application(int port) {
		return RedisApplication.application("lettuce", "client-name=app", "port=" + port, "connect-timeout=5s")
			.withPropertyValues("ratelimit.redis.timeout=1s", "ratelimit.redis.connect-timeout=5s");
	}

	private static boolean decides(RateLimiter limiter) {
		try {
			limiter.acquire(CHARGE);
			return true;
		}
		catch (RateLimitStoreException ex) {
			return false;
		}
	}

	/** Returns the names of all connections but those of tests. */
	private static List<String> clients(RedisProcess redis) {
		return redis.commands()
			.clientList()
			.lines()
			.map((line) -> line.replaceFirst(".* name=(\\S*) .*", "$1"))
			.filter((name) -> !name.isEmpty())
			.toList();
	}

}
