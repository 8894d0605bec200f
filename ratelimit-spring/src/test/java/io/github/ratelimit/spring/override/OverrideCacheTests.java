package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.override.OverrideCache.Settings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class OverrideCacheTests {

	private static final int LOOKUPS = 1;

	private static final List<Limit> OWN = limits("50/1h");

	private final Policies policies = new Policies(List.of(new Policy("api", limits("10/1h"), List.of("global"))));

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(90).toNanos());

	private final OverrideCache cache = cache(Duration.ofSeconds(10));

	private final List<String> lookups = Collections.synchronizedList(new ArrayList<>());

	@AfterEach
	void close() {
		this.cache.close();
	}

	@Test
	void looksUpEachCallerOnce() {
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			this.lookups.add(policy + ' ' + key);
			return key.equals("a") ? OWN : List.of();
		});
		for (int i = 0; i < 3; i++) {
			assertThat(overrides.of("api", "a")).isEqualTo(OWN);
			assertThat(overrides.of("api", "b")).isEmpty();
			assertThat(overrides.ofAsync("api", "a").toCompletableFuture()).isCompletedWithValue(OWN);
		}
		assertThat(this.lookups).containsExactlyInAnyOrder("api a", "api b");
	}

	@Test
	void looksUpOnAThreadOfItsOwn() {
		Thread caller = Thread.currentThread();
		CountDownLatch released = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			threads.add(Thread.currentThread());
			await(released);
			return OWN;
		});
		CompletableFuture<List<Limit>> limits = overrides.ofAsync("api", "a").toCompletableFuture();
		assertThat(limits).isNotDone();
		released.countDown();
		assertThat(limits.join()).isEqualTo(OWN);
		assertThat(threads).hasSize(1).doesNotContain(caller);
	}

	@Test
	void looksUpAgainOnceAnEntryExpires() {
		LimitOverrides overrides = this.cache.over(this::lookUp);
		overrides.of("api", "a");
		pass(Duration.ofMinutes(5));
		overrides.of("api", "a");
		assertThat(this.lookups).hasSize(2);
	}

	@Test
	void retriesAFailureAfterASecond() {
		AtomicBoolean fails = new AtomicBoolean(true);
		LimitOverrides overrides = this.cache.over((policy, key) -> failing(fails, key));
		assertThat(overrides.of("api", "a")).isEmpty();
		fails.set(false);
		pass(Duration.ofMillis(999));
		assertThat(overrides.of("api", "a")).isEmpty();
		pass(Duration.ofMillis(1));
		assertThat(overrides.of("api", "a")).isEqualTo(OWN);
		pass(Duration.ofMinutes(4));
		assertThat(overrides.of("api", "a")).isEqualTo(OWN);
		assertThat(this.lookups).hasSize(2);
	}

	@Test
	void keepsTheLastKnownLimitsWhileTheSourceFails() {
		AtomicBoolean fails = new AtomicBoolean();
		LimitOverrides overrides = this.cache.over((policy, key) -> failing(fails, key));
		assertThat(overrides.of("api", "a")).isEqualTo(OWN);
		fails.set(true);
		for (int minutes = 0; minutes < 60; minutes += 5) {
			pass(Duration.ofMinutes(5));
			assertThat(overrides.of("api", "a")).isEqualTo(OWN);
		}
		assertThat(this.lookups).hasSize(13);
		assertThat(this.cache.failures(OverrideFailure.ERROR, true)).isEqualTo(12);
		assertThat(this.cache.failures(OverrideFailure.ERROR, false)).isZero();
	}

	@Test
	void dropsLastKnownLimitsThatNoLongerFitThePolicy() {
		AtomicBoolean fails = new AtomicBoolean();
		LimitOverrides overrides = this.cache.over((policy, key) -> failing(fails, key));
		overrides.of("api", "a");
		fails.set(true);
		pass(Duration.ofMinutes(5));
		this.policies.replace(new Policy("api", limits("10/1h", "20/1d"), List.of("global")));
		assertThat(overrides.of("api", "a")).isEmpty();
		assertThat(this.cache.failures(OverrideFailure.ERROR, false)).isOne();
	}

	@Test
	void logsFailuresOnceAMinute(CapturedOutput output) {
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			if (key.startsWith("secret")) {
				throw new IllegalStateException("no limits of " + key);
			}
			return OWN;
		});
		for (int caller = 0; caller < 10; caller++) {
			overrides.of("api", "secret-" + caller);
			overrides.of("api", "caller-" + caller);
		}
		assertThat(output).containsOnlyOnce("Limits of single callers cannot be had")
			.contains("java.lang.IllegalStateException")
			.doesNotContain("secret");
		pass(Duration.ofMinutes(1));
		overrides.of("api", "secret-10");
		overrides.of("api", "secret-11");
		assertThat(output.getOut().split("cannot be had", -1)).hasSize(3);
		assertThat(this.cache.failures(OverrideFailure.ERROR, false)).isEqualTo(12);
	}

	@Test
	void fallsBackIfTheLimitsDoNotFitThePolicy() {
		assertThat(this.cache.over((policy, key) -> limits("5/1m", "20/1h")).of("api", "a")).isEmpty();
	}

	@Test
	void fallsBackIfTheSourceIsSlow() {
		CountDownLatch never = new CountDownLatch(1);
		try (OverrideCache hasty = cache(Duration.ofMillis(20))) {
			LimitOverrides overrides = hasty.over((policy, key) -> {
				await(never);
				return OWN;
			});
			for (int caller = 0; caller < 5; caller++) {
				assertThat(overrides.of("api", "caller-" + caller)).isEmpty();
			}
			assertThat(hasty.failures(OverrideFailure.TIMEOUT, false)).isEqualTo(5);
		}
		finally {
			never.countDown();
		}
	}

	@Test
	void cachesALateResultOfOneLookup() {
		CountDownLatch released = new CountDownLatch(1);
		try (OverrideCache hasty = cache(Duration.ofMillis(20))) {
			LimitOverrides overrides = hasty.over((policy, key) -> {
				lookUp(policy, key);
				await(released);
				return OWN;
			});
			assertThat(overrides.of("api", "a")).isEmpty();
			pass(Duration.ofSeconds(1));
			assertThat(overrides.of("api", "a")).isEmpty();
			released.countDown();
			Awaitility.await().untilAsserted(() -> assertThat(overrides.of("api", "a")).isEqualTo(OWN));
			pass(Duration.ofMinutes(4));
			assertThat(overrides.of("api", "a")).isEqualTo(OWN);
			assertThat(this.lookups).hasSize(1);
		}
	}

	@Test
	void fallsBackBeyondTheBoundOfLookups() {
		CountDownLatch released = new CountDownLatch(1);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			await(released);
			running.decrementAndGet();
			return OWN;
		});
		int accepted = LOOKUPS * (1 + OverrideLookups.QUEUED_PER_LOOKUP);
		List<CompletableFuture<List<Limit>>> all = IntStream.range(0, accepted + 96)
			.mapToObj((caller) -> overrides.ofAsync("api", "caller-" + caller).toCompletableFuture())
			.toList();
		assertThat(all).filteredOn(CompletableFuture::isDone).hasSize(96);
		released.countDown();
		assertThat(all).filteredOn((limits) -> limits.join().isEmpty()).hasSize(96);
		assertThat(most).hasValueLessThanOrEqualTo(LOOKUPS);
		assertThat(this.cache.failures(OverrideFailure.FULL, false)).isEqualTo(96);
	}

	/** More callers than the cache has entries or lookups can be made for. */
	@Test
	void keepsNegotiatedLimitsInAFloodOfNewCallers() {
		CountDownLatch never = new CountDownLatch(1);
		AtomicBoolean flood = new AtomicBoolean();
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			if (flood.get()) {
				await(never);
			}
			return key.startsWith("partner") ? OWN : List.of();
		});
		for (int minute = 0; minute < 15; minute += 5) {
			IntStream.range(0, 10).forEach((partner) -> overrides.of("api", "partner-" + partner));
			pass(Duration.ofMinutes(5));
		}
		flood.set(true);
		for (int caller = 0; caller < 1000; caller++) {
			overrides.ofAsync("api", "caller-" + caller);
		}
		assertThat(IntStream.range(0, 10))
			.allSatisfy((partner) -> assertThat(overrides.ofAsync("api", "partner-" + partner).toCompletableFuture())
				.isCompletedWithValue(OWN));
		never.countDown();
	}

	private OverrideCache cache(Duration timeout) {
		return new OverrideCache(this.policies, new Settings(Duration.ofMinutes(5), 100, timeout, LOOKUPS),
				this.clock::get);
	}

	/**
	 * Advances the clock after the only lookup thread has finished the lookup before: its
	 * result may be complete before the cache reads the time.
	 */
	private void pass(Duration time) {
		this.cache.over((policy, key) -> List.of()).of("api", "at " + this.clock.get());
		this.clock.addAndGet(time.toNanos());
	}

	private List<Limit> lookUp(String policy, String key) {
		this.lookups.add(policy + ' ' + key);
		return OWN;
	}

	private List<Limit> failing(AtomicBoolean fails, String key) {
		this.lookups.add(key);
		if (fails.get()) {
			throw new IllegalStateException("gone");
		}
		return OWN;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<Limit> limits(String... limits) {
		return List.of(limits).stream().map((limit) -> Limit.parse(limit, Algorithm.TOKEN_BUCKET)).toList();
	}

}
