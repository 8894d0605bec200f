package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the log of an instance whose controls fail, and of texts that are too long or
 * not printable.
 */
@ExtendWith(OutputCaptureExtension.class)
class ControlFailureTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final Failing store = new Failing();

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);

	@AfterEach
	void close() {
		this.instance.close();
	}

	@Test
	void logsOnceWhyControlsCannotBeRead(CapturedOutput output) {
		this.store.failure = new RateLimitStoreException("secret", Kind.READONLY, null);
		startAndLookAgain();
		assertThat(output)
			.containsOnlyOnce("Controls cannot be read: readonly. This instance keeps those that it knows")
			.doesNotContain("secret", "could not be applied");
	}

	@Test
	void logsTheBeginAtMostOnceAMinuteAndTheEnd(CapturedOutput output) {
		AtomicLong seconds = new AtomicLong();
		ControlFailures failures = new ControlFailures(() -> TimeUnit.SECONDS.toNanos(seconds.get()));
		for (; seconds.get() < 600; seconds.addAndGet(12)) {
			failures.onFailure(new RateLimitStoreException("secret", Kind.TIMEOUT, null));
			seconds.addAndGet(3);
			failures.onSuccess();
			seconds.addAndGet(5);
			failures.onSuccess();
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("Controls cannot be read: timeout")))
			.hasSize(10);
		assertThat(output.getOut().lines().filter((line) -> line.endsWith("Controls are read again, after 1 failures")))
			.hasSize(10);
	}

	@Test
	void logsAnOutageThatGoesOnWhenItsMinuteIsOver(CapturedOutput output) {
		AtomicLong seconds = new AtomicLong();
		ControlFailures failures = new ControlFailures(() -> TimeUnit.SECONDS.toNanos(seconds.get()));
		failures.onFailure(new RateLimitStoreException("", Kind.TIMEOUT, null));
		seconds.set(10);
		failures.onSuccess();
		for (; seconds.get() <= 120; seconds.incrementAndGet()) {
			failures.onFailure(new RateLimitStoreException("", Kind.OOM, null));
		}
		assertThat(output).containsOnlyOnce("Controls cannot be read: timeout")
			.containsOnlyOnce("Controls cannot be read: oom");
	}

	@Test
	void warnsAtTheStartOfControlsThatOverrideTheConfiguration(CapturedOutput output) {
		this.instance.controls().set(new Change("api", List.of("7/1h"), null, null), null);
		assertThat(output).doesNotContain("Controls override");
		try (ControlledInstance deployed = new ControlledInstance(new MemoryRateLimitStore(1000), this.store)) {
			deployed.start();
			deployed.controls().refresh();
		}
		assertThat(output).containsOnlyOnce("Controls override what the configuration says of the policies [api]");
	}

	@Test
	void doesNotBlameTheStoreForAFailureOfItsOwn(CapturedOutput output) {
		this.store.failure = new IllegalStateException("a bug");
		startAndLookAgain();
		assertThat(output).containsOnlyOnce("Controls were read, but could not be applied")
			.containsOnlyOnce("IllegalStateException: a bug")
			.doesNotContain("cannot be read", "store");
	}

	@Test
	void looksAgainAfterAnErrorOfTheStore(CapturedOutput output) {
		this.store.error = new NoClassDefFoundError("a/Driver");
		startAndLookAgain();
		assertThat(output).containsOnlyOnce("NoClassDefFoundError: a/Driver");
	}

	@Test
	void logsNoLineThatBeginsInAnIdentifierOfTheStore(CapturedOutput output) {
		this.store.put("ban-1\nforged", "v=2", null);
		this.store.put("ban-2\nforged", "v=2", Instant.EPOCH);
		this.instance.controls().refresh();
		assertThat(output).contains("among them 'ban-1?forged'", "The control 'ban-2?forged' has ended");
	}

	@ParameterizedTest
	@ValueSource(ints = { 4_000, 100_000 })
	void refusesTextsThatAreTooLong(int length) {
		String name = "a".repeat(length);
		for (Control control : new Control[] { new Block("principal:" + name), new Ban("api", "principal:" + name),
				new Pause("api", name) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.instance.controls().set(control, HOUR))
				.withMessageContaining(
						"a control takes up at most 4000 characters, but this takes up " + length / 1000);
		}
		assertThat(this.instance.controls().active()).isEmpty();
		this.instance.controls().set(new Block("principal:" + name.substring(0, 3_800)), HOUR);
		assertThat(this.instance.controls().active()).hasSize(1);
	}

	/** Starts, and waits for further looks, which fail like the first. */
	private void startAndLookAgain() {
		this.instance.start();
		await().until(() -> this.store.looks.get() > 2);
	}

	/** A store in memory that can fail. */
	private static final class Failing implements ControlStore {

		private final ControlStore memory = new MemoryControlStore(InstantSource.system());

		private final AtomicInteger looks = new AtomicInteger();

		private volatile @Nullable RuntimeException failure;

		private volatile @Nullable Error error;

		@Override
		public Changes since(Revision known, boolean all) {
			this.looks.incrementAndGet();
			Error error = this.error;
			if (error != null) {
				throw error;
			}
			RuntimeException failure = this.failure;
			if (failure != null) {
				throw failure;
			}
			return this.memory.since(known, all);
		}

		@Override
		public Set<String> put(Map<String, Text> controls) {
			return this.memory.put(controls);
		}

		@Override
		public void remove(String id) {
			this.memory.remove(id);
		}

		@Override
		public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
			return this.memory.restore(known, controls);
		}

	}

}
