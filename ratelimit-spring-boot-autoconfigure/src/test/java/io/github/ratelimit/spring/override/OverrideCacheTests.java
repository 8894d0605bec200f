package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.github.ratelimit.LimitOverrides;
import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class OverrideCacheTests {

	private static final List<Limit> OWN = limits("50/1h");

	private final Policies policies = new Policies(List.of(new Policy("api", limits("10/1h"), List.of("global"))));

	private final OverrideCache cache = new OverrideCache(this.policies, Duration.ofMinutes(5), 100,
			Duration.ofSeconds(10));

	private final List<String> asked = new ArrayList<>();

	@AfterEach
	void close() {
		this.cache.close();
	}

	@Test
	void asksOnceForEachCaller() {
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			this.asked.add(policy + ' ' + key);
			return key.equals("a") ? OWN : List.of();
		});
		for (int i = 0; i < 3; i++) {
			assertThat(overrides.of("api", "a")).isEqualTo(OWN);
			assertThat(overrides.of("api", "b")).isEmpty();
			assertThat(overrides.ofAsync("api", "a").toCompletableFuture()).isCompletedWithValue(OWN);
		}
		assertThat(this.asked).containsExactlyInAnyOrder("api a", "api b");
	}

	@Test
	void asksOnAThreadOfItsOwn() {
		Thread caller = Thread.currentThread();
		CountDownLatch answered = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			threads.add(Thread.currentThread());
			await(answered);
			return OWN;
		});
		CompletableFuture<List<Limit>> limits = overrides.ofAsync("api", "a").toCompletableFuture();
		assertThat(limits).isNotDone();
		answered.countDown();
		assertThat(limits.join()).isEqualTo(OWN);
		assertThat(threads).hasSize(1).doesNotContain(caller);
	}

	@Test
	void fallsBackAndLogsOnceWhileTheSourceFails(CapturedOutput output) {
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			this.asked.add(key);
			if (key.startsWith("secret")) {
				throw new IllegalStateException("no limits of " + key);
			}
			return OWN;
		});
		assertThat(overrides.of("api", "secret-1")).isEmpty();
		assertThat(overrides.of("api", "secret-1")).isEmpty();
		assertThat(overrides.of("api", "secret-2")).isEmpty();
		assertThat(this.asked).containsExactly("secret-1", "secret-2");
		assertThat(output).containsOnlyOnce("Limits of single callers cannot be had")
			.contains("java.lang.IllegalStateException")
			.doesNotContain("secret");
		assertThat(overrides.of("api", "a")).isEqualTo(OWN);
	}

	@Test
	void fallsBackWhereTheLimitsDoNotFitThePolicy() {
		assertThat(this.cache.over((policy, key) -> limits("5/1m", "20/1h")).of("api", "a")).isEmpty();
	}

	@Test
	void fallsBackWhereTheSourceIsSlow() {
		CountDownLatch never = new CountDownLatch(1);
		try (OverrideCache hasty = new OverrideCache(this.policies, Duration.ofMinutes(5), 100,
				Duration.ofMillis(20))) {
			LimitOverrides overrides = hasty.over((policy, key) -> {
				await(never);
				return OWN;
			});
			for (int caller = 0; caller < 10; caller++) {
				assertThat(overrides.of("api", "caller-" + caller)).isEmpty();
			}
		}
		finally {
			never.countDown();
		}
	}

	@Test
	void fallsBackWhereTooManyWait() {
		CountDownLatch answered = new CountDownLatch(1);
		LimitOverrides overrides = this.cache.over((policy, key) -> {
			await(answered);
			return OWN;
		});
		List<CompletableFuture<List<Limit>>> all = IntStream.range(0, 1100)
			.mapToObj((caller) -> overrides.ofAsync("api", "caller-" + caller).toCompletableFuture())
			.toList();
		assertThat(all).filteredOn(CompletableFuture::isDone).hasSize(96);
		answered.countDown();
		assertThat(all).filteredOn((limits) -> limits.join().isEmpty()).hasSize(96);
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
