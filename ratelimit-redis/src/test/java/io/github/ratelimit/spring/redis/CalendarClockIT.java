package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Windows of the calendar, by instances whose clock differs from that of Redis. They are
 * those of a time zone in which a window has just begun, so none ends during a test.
 */
@Tag("long")
class CalendarClockIT {

	private static final RedisProcess REDIS = RedisProcess.start();

	private final ConnectedStore connected = Driver.DEDICATED.connect(REDIS.port(), Duration.ofSeconds(5));

	private final RedisRateLimitStore exact = this.connected.store().at(ServerClock.like(System::currentTimeMillis));

	@AfterEach
	void disconnect() {
		REDIS.commands().flushall();
		this.connected.close();
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	static Stream<Duration> skews() {
		return Stream.of(0, 30, 61, 119, 181, 3_661, 7_300, 90_000)
			.flatMap((seconds) -> Stream.of(Duration.ofSeconds(seconds), Duration.ofSeconds(-seconds)))
			.distinct();
	}

	@ParameterizedTest
	@MethodSource("skews")
	void admitsWhatFitsInTheWindowOfRedis(Duration skew) {
		RedisRateLimitStore skewed = skewed(this.connected.store(), skew);
		for (String unit : List.of("5/1m fixed-window align minute", "5/1h fixed-window align hour",
				"5/1d fixed-window align day")) {
			Limit limit = justBegun(unit);
			assertThat(admitted(skewed, (request) -> permit(limit, unit))).as(unit).isEqualTo(5);
			Decision denial = skewed.execute(acquire(permit(limit, unit)));
			assertThat(denial.allowed()).isFalse();
			assertThat(denial.retryAfterMicros()).isBetween(1L, limit.periodMicros());
			assertThat(this.exact.execute(acquire(permit(limit, unit))).allowed()).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource(Driver.class)
	void decidesOnEveryDriver(Driver driver) {
		try (ConnectedStore other = driver.connect(REDIS.port(), Duration.ofSeconds(5))) {
			RedisRateLimitStore skewed = skewed(other.store(), Duration.ofDays(3));
			PermitRequest permit = permit(justBegun("2/1d fixed-window align day"), "alice");
			assertThat(skewed.execute(acquire(permit)).allowed()).isTrue();
			assertThat(skewed.executeAsync(acquire(permit)).toCompletableFuture().join().allowed()).isTrue();
			assertThat(skewed.execute(acquire(permit)).allowed()).isFalse();
		}
	}

	@Test
	void decidesOnManyKeysAtOnce() {
		Limit limit = justBegun("1/1d fixed-window align day");
		RedisRateLimitStore skewed = skewed(this.connected.store(), Duration.ofDays(2));
		IntFunction<PermitRequest> callers = (caller) -> permit(limit, "caller-" + caller);
		assertThat(admitted(skewed, callers)).isEqualTo(40);
		assertThat(admitted(skewed, callers)).isZero();
	}

	@Test
	void asksOnceMoreAndThenKnowsTheClock() {
		RedisRateLimitStore skewed = skewed(this.connected.store(), Duration.ofHours(-7));
		StoreRequest request = acquire(permit(justBegun("9/1d fixed-window align day"), "alice"));
		this.exact.execute(request);
		REDIS.commands().configResetstat();
		skewed.execute(request);
		assertThat(runs()).isEqualTo(2);
		skewed.execute(request);
		assertThat(runs()).isEqualTo(3);
	}

	@Test
	void refundsEveryLimitOnce() {
		PermitRequest log = permit(Limit.parse("9/1h sliding-window-log", Algorithm.TOKEN_BUCKET), "alice");
		PermitRequest day = permit(justBegun("9/1d fixed-window align day"), "alice");
		this.exact.execute(acquire(log, day));
		long charged = this.exact.execute(acquire(log, day)).storeTimeMicros();
		RedisRateLimitStore skewed = skewed(this.connected.store(), Duration.ofDays(1));
		skewed
			.execute(new StoreRequest(StoreOperation.REFUND, List.of(log.refund(1, charged), day.refund(1, charged))));
		assertThat(this.exact.execute(acquire(log, day).with(StoreOperation.PEEK)).limits())
			.extracting(LimitDecision::remaining)
			.containsExactly(8L, 8L);
	}

	@Test
	void resetsTheCount() {
		PermitRequest day = permit(justBegun("1/1d fixed-window align day"), "alice");
		this.exact.execute(acquire(day));
		RedisRateLimitStore skewed = skewed(this.connected.store(), Duration.ofDays(-1));
		skewed.execute(acquire(day).with(StoreOperation.RESET));
		assertThat(this.exact.execute(acquire(day)).allowed()).isTrue();
	}

	/** Sends all requests before Redis replies to the first. */
	private static long admitted(RedisRateLimitStore store, IntFunction<PermitRequest> permits) {
		store.connect();
		REDIS.pause();
		List<CompletableFuture<Decision>> decisions = IntStream.range(0, 40)
			.mapToObj((request) -> store.executeAsync(acquire(permits.apply(request))))
			.map(CompletionStage::toCompletableFuture)
			.toList();
		REDIS.resume();
		return decisions.stream().map(CompletableFuture::join).filter(Decision::allowed).count();
	}

	private static RedisRateLimitStore skewed(RedisRateLimitStore store, Duration skew) {
		return store.at(ServerClock.like(() -> System.currentTimeMillis() + skew.toMillis()));
	}

	/** Returns a limit in a time zone in which its window began a second ago at most. */
	private static Limit justBegun(String limit) {
		Limit inUtc = Limit.parse(limit, Algorithm.TOKEN_BUCKET);
		long period = Duration.ofNanos(inUtc.periodMicros() * 1000).toSeconds();
		long since = Instant.now().getEpochSecond() % period;
		long offset = (since < Duration.ofHours(12).toSeconds()) ? -since : period - since;
		return Limit.parse(limit + " zone " + ZoneOffset.ofTotalSeconds((int) offset), Algorithm.TOKEN_BUCKET);
	}

	private static PermitRequest permit(Limit limit, String key) {
		return new PermitRequest(new PolicyLimit("quotes", "quotes", 0, limit, 0), key, 1, 0);
	}

	private static StoreRequest acquire(PermitRequest... permits) {
		return new StoreRequest(StoreOperation.ACQUIRE, List.of(permits));
	}

	private static long runs() {
		return Stream.of(REDIS.commands().info("commandstats").split("\\R"))
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
