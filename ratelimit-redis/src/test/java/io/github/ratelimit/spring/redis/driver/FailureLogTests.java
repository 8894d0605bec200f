package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class FailureLogTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final FailureLog log = new FailureLog("Redis", this.clock::get);

	@Test
	void logsEachKindOfAnOutageOnceAMinuteAtMost(CapturedOutput output) {
		for (int second = 0; second < 120; second++) {
			fail(Kind.TIMEOUT);
			fail(Kind.OPEN);
			fail(Kind.OOM);
			advance(1);
		}
		assertThat(kinds(output)).containsExactly("timeout", "oom", "timeout", "oom");
	}

	@Test
	void logsAKindAgainAfterARecovery(CapturedOutput output) {
		fail(Kind.TIMEOUT);
		fail(Kind.OOM);
		advance(5);
		this.log.onSuccess();
		fail(Kind.OOM);
		assertThat(kinds(output)).containsExactly("timeout", "oom", "oom");
	}

	@Test
	void namesWhatOpenedTheBreakerOfAnOutageThatGoesOn(CapturedOutput output) {
		fail(Kind.OOM);
		advance(5);
		this.log.onSuccess();
		fail(Kind.OPEN);
		assertThat(kinds(output)).containsExactly("oom", "oom");
		assertThat(this.log.lastFailure()).isNotNull().extracting(StoreFailure::kind).isEqualTo(Kind.OOM);
	}

	private void fail(Kind kind) {
		RateLimitStoreException failure = new RateLimitStoreException("failed", kind, null);
		assertThat(this.log.onFailure(failure)).isSameAs(failure);
	}

	private void advance(int seconds) {
		this.clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
	}

	private static List<String> kinds(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("does not decide"))
			.map((line) -> line.replaceFirst(".*rate limits: ([a-z]+)\\..*", "$1"))
			.toList();
	}

}
