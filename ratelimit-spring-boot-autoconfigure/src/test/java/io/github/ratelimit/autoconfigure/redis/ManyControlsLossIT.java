package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlStore.Text;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The loss of as many controls as there can be, while two instances decide 200 calls a
 * second.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class ManyControlsLossIT {

	private static final Logger LOGGER = LoggerFactory.getLogger(ManyControlsLossIT.class);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Pattern LOSS = Pattern.compile("The store has lost controls: (\\d+) were written back");

	private static final String HASH = "controls:1:{controls}";

	/** The most controls, less the state of the store. */
	private static final int CONTROLS = ControlStore.MOST - 10;

	private final RedisProcess redis = RedisProcess.start();

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ScheduledExecutorService calls = Executors.newScheduledThreadPool(4);

	private final AtomicInteger decided = new AtomicInteger();

	private final AtomicInteger late = new AtomicInteger();

	private final AtomicLong longestMicros = new AtomicLong();

	@AfterEach
	void close() throws Exception {
		this.calls.shutdownNow();
		assertThat(this.calls.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.redis.close();
	}

	@BeforeEach
	void ban() {
		Instant until = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MICROS);
		Map<String, Text> bans = new HashMap<>();
		for (int number = 0; number < CONTROLS; number++) {
			String key = "principal:banned-" + number;
			bans.put(new ActiveControl(new Ban("api", key), until, null).id(),
					new Text("v=1&kind=ban&since=2026-11-22T10:00:00Z&until=" + until
							+ "&origin=operator&by=an-operator&policy=api&key=" + key, until));
		}
		assertThat(controls().put(bans)).isEmpty();
	}

	@Test
	void isReportedOfControlsForWhichThereIsNoRoom() {
		Map<String, Text> more = new LinkedHashMap<>();
		IntStream.range(0, 30).forEach((number) -> more.put("ban-api-" + number, new Text("v=1", null)));
		assertThat(controls().put(more)).hasSizeBetween(20, 29).contains("ban-api-29").doesNotContain("ban-api-0");
		assertThat(stored()).isBetween(CONTROLS + 1L, (long) ControlStore.MOST);
	}

	@Test
	@Tag("slow")
	void isWrittenBackWithinTwoSecondsAndDelaysNoDecision(CapturedOutput output) {
		List<ControlledInstance> instances = List.of(instance(), instance());
		await().atMost(SECOND.multipliedBy(5))
			.until(() -> instances.stream().allMatch((each) -> each.controls().active().size() == CONTROLS));
		await().until(() -> this.decided.get() > 200);
		this.late.set(0);
		this.longestMicros.set(0);
		long millis = millisFromFlushToEnd(instances);
		await().atMost(SECOND).until(() -> restored(instances) > 0);
		LOGGER.info("{} controls were back after {} ms; longest script {} ms; longest decision {} ms", CONTROLS, millis,
				longestScript(), this.longestMicros.get() / 1000.0);
		assertThat(restored(instances)).isEqualTo(CONTROLS);
		assertThat(LOSS.matcher(output).results().mapToInt((loss) -> Integer.parseInt(loss.group(1))).sum())
			.isEqualTo(CONTROLS);
		assertThat(stored()).isEqualTo(CONTROLS);
		assertThat(this.late).hasValue(0);
		assertThat(millis).isLessThan(2_000);
	}

	private long millisFromFlushToEnd(List<ControlledInstance> instances) {
		this.redis.commands().configSet("slowlog-log-slower-than", "0");
		this.redis.commands().configSet("slowlog-max-len", "10000");
		this.redis.commands().flushall();
		this.redis.commands().slowlogReset();
		long flushed = System.nanoTime();
		await().pollInterval(Duration.ofMillis(5)).atMost(SECOND.multipliedBy(10)).until(() -> {
			assertThat(instances).allMatch(ManyControlsLossIT::areBanned);
			return this.redis.commands().hget(HASH, ":generation") != null;
		});
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - flushed);
	}

	private static long restored(List<ControlledInstance> instances) {
		return instances.stream().mapToLong((each) -> each.controls().restored()).sum();
	}

	/** Returns the number of stored controls, without the state of the store. */
	private long stored() {
		return this.redis.commands().hkeys(HASH).stream().filter((id) -> !id.startsWith(":")).count();
	}

	private double longestScript() {
		return this.redis.commands()
			.slowlogGet(10_000)
			.stream()
			.mapToLong((entry) -> Long.parseLong(String.valueOf(((List<?>) entry).get(2))))
			.max()
			.orElse(0) / 1000.0;
	}

	/** Makes 100 calls a second of a limit that needs Redis. */
	private void call(RedisRateLimitStore counts) {
		Policy policy = new Policy("calls", List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)), List.of("principal"))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100));
		RateLimiter limiter = new RateLimiter(new Policies(List.of(policy)), counts, List.of());
		Future<?> calling = this.calls.scheduleAtFixedRate(() -> {
			long begin = System.nanoTime();
			try {
				limiter.acquire(Charge.of("calls", "principal:caller-" + this.decided.incrementAndGet()));
			}
			catch (RateLimitStoreException ex) {
				this.late.incrementAndGet();
			}
			this.longestMicros.accumulateAndGet((System.nanoTime() - begin) / 1000, Math::max);
		}, 0, 10, TimeUnit.MILLISECONDS);
		this.open.add(0, () -> calling.cancel(true));
	}

	private static boolean areBanned(ControlledInstance instance) {
		return instance.policies().controls().of("api", "principal:banned-" + (CONTROLS - 1)).banned();
	}

	private ControlledInstance instance() {
		RedisRateLimitStore counts = RedisRateLimitStore.dedicated(
				new LettuceConnectionFactory("127.0.0.1", this.redis.port()), "controls", TIMEOUT, SECOND,
				"ratelimit:counts");
		ControlledInstance instance = new ControlledInstance(counts, controls());
		this.open.addAll(0, List.of(instance, counts));
		instance.start();
		call(counts);
		return instance;
	}

	private RedisControlStore controls() {
		RedisControlStore controls = new RedisControlStore(DedicatedConnectionFactory
			.like(new LettuceConnectionFactory("127.0.0.1", this.redis.port()), SECOND, "ratelimit:controls"),
				"controls");
		this.open.add(controls);
		return controls;
	}

}
