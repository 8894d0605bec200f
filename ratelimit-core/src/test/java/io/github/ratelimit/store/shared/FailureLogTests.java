package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the log of outages.
 */
class FailureLogTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final List<String> warnings = new ArrayList<>();

	private final List<String> infos = new ArrayList<>();

	private final FailureLog log = new FailureLog("Redis", this.clock::get, this.warnings::add, this.infos::add);

	@Test
	void logsEachKindOfAnOutageOnceAMinuteAtMost() {
		for (int second = 0; second < 120; second++) {
			fail(Kind.TIMEOUT);
			fail(Kind.OPEN);
			fail(Kind.OOM);
			advance(1);
		}
		assertThat(kinds()).containsExactly("timeout", "oom", "timeout", "oom");
	}

	@Test
	void logsAKindAgainAfterARecovery() {
		fail(Kind.TIMEOUT);
		fail(Kind.OOM);
		advance(5);
		this.log.onSuccess();
		fail(Kind.OOM);
		assertThat(kinds()).containsExactly("timeout", "oom", "oom");
		assertThat(this.infos).containsExactly("Redis decides on rate limits again, after 2 failures");
	}

	@Test
	void namesWhatOpenedTheBreakerOfAnOutageThatGoesOn() {
		fail(Kind.OOM);
		advance(5);
		this.log.onSuccess();
		fail(Kind.OPEN);
		assertThat(kinds()).containsExactly("oom", "oom");
		assertThat(this.log.lastFailure()).isNotNull().extracting(StoreFailure::kind).isEqualTo(Kind.OOM);
	}

	private void fail(Kind kind) {
		RateLimitStoreException failure = new RateLimitStoreException("failed", kind, null);
		assertThat(this.log.onFailure(failure)).isSameAs(failure);
	}

	private void advance(int seconds) {
		this.clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
	}

	private List<String> kinds() {
		return this.warnings.stream()
			.map((line) -> line.replaceFirst("Redis does not decide on rate limits: ([a-z]+)\\..*", "$1"))
			.toList();
	}

}
