package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The times that calls of a chaos waited for the store, and how late the machine woke a
 * thread meanwhile.
 */
final class ChaosTiming implements AutoCloseable {

	/** The pause between looks for timeouts. A look that is late ends none. */
	private static final Duration PAUSE = Duration.ofMillis(5);

	private static final Duration SHORT = Duration.ofMillis(50);

	private final Queue<Span> calls = new ConcurrentLinkedQueue<>();

	private final Queue<Span> late = new ConcurrentLinkedQueue<>();

	private final AtomicLong longest = new AtomicLong();

	private final Thread thread = new Thread(this::measureLateness, "chaos-lateness");

	private volatile boolean ended;

	static ChaosTiming start() {
		ChaosTiming timing = new ChaosTiming();
		timing.thread.start();
		return timing;
	}

	private void measureLateness() {
		while (!this.ended) {
			long due = System.nanoTime() + PAUSE.toNanos();
			Timing.sleep(PAUSE);
			this.late.add(new Span(due, System.nanoTime()));
		}
	}

	private void add(long nanos) {
		this.longest.accumulateAndGet(nanos, Math::max);
		if (nanos > SHORT.toNanos()) {
			long end = System.nanoTime();
			this.calls.add(new Span(end - nanos, end));
		}
	}

	/**
	 * Requires that no call waited longer, by more than twice the time that the machine
	 * kept a thread from running meanwhile.
	 * @return the longest call
	 */
	String requireAtMost(Duration most) {
		List<Span> slow = this.calls.stream().filter((call) -> call.nanos() > most.toNanos()).toList();
		assertThat(slow).allSatisfy((call) -> assertThat(Duration.ofNanos(call.nanos()))
			.isLessThanOrEqualTo(most.plusNanos(2 * lateness(call))));
		return "longest call of the store %d ms, %d above %d ms on a machine that woke threads up to %d ms late"
			.formatted(this.longest.get() / 1_000_000, slow.size(), most.toMillis(),
					this.late.stream().mapToLong(Span::nanos).max().orElse(0) / 1_000_000);
	}

	private long lateness(Span call) {
		return this.late.stream().filter(call::overlaps).mapToLong(Span::nanos).sum();
	}

	@Override
	public void close() {
		this.ended = true;
		Timing.join(this.thread);
	}

	/** A time, from its begin to its end. */
	private record Span(long begin, long end) {

		long nanos() {
			return this.end - this.begin;
		}

		boolean overlaps(Span other) {
			return other.begin - this.end < 0 && other.end - this.begin > 0;
		}

	}

	/** A registry that adds the times of the store to others. */
	static final class Registry extends SimpleMeterRegistry {

		private final ChaosTiming timing;

		Registry(ChaosTiming timing) {
			this.timing = timing;
		}

		@Override
		protected Timer newTimer(Meter.Id id, DistributionStatisticConfig statistics, PauseDetector pauses) {
			if (!id.getName().equals("ratelimit.store.latency")) {
				return super.newTimer(id, statistics, pauses);
			}
			return new CumulativeTimer(id, this.clock, statistics, pauses, getBaseTimeUnit()) {

				@Override
				protected void recordNonNegative(long amount, TimeUnit unit) {
					super.recordNonNegative(amount, unit);
					Registry.this.timing.add(unit.toNanos(amount));
				}

			};
		}

	}

}
