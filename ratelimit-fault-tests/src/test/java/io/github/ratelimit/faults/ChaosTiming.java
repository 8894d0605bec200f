package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The times of the calls of a chaos, and of how late the machine woke its threads
 * meanwhile.
 */
final class ChaosTiming implements AutoCloseable {

	/** A call shorter than any timeout. */
	private static final Duration SHORT = Duration.ofMillis(50);

	/** Timeouts are looked for as often, and such a look that is late ends none. */
	private static final Duration PAUSE = Duration.ofMillis(5);

	private final Queue<ChaosCall> calls = new ConcurrentLinkedQueue<>();

	private final Queue<Late> late = new ConcurrentLinkedQueue<>();

	private final AtomicLong longest = new AtomicLong();

	private final Thread thread = new Thread(this::measureLateness, "chaos-lateness");

	private volatile boolean ended;

	static ChaosTiming start() {
		ChaosTiming timing = new ChaosTiming();
		timing.thread.start();
		return timing;
	}

	void add(ChaosCall call) {
		this.longest.accumulateAndGet(call.nanos(), Math::max);
		if (call.nanos() > SHORT.toNanos()) {
			this.calls.add(call);
		}
	}

	private void measureLateness() {
		while (!this.ended) {
			long due = System.nanoTime() + PAUSE.toNanos();
			Timing.sleep(PAUSE);
			long now = System.nanoTime();
			if (now - due > PAUSE.toNanos()) {
				this.late.add(new Late(due, now));
			}
		}
	}

	@Override
	public void close() {
		this.ended = true;
		Timing.join(this.thread);
	}

	/**
	 * Requires that no call took longer, by more than the machine has paused a thread
	 * meanwhile, and as long again for the other threads of a call over HTTP.
	 * @return the longest call
	 */
	String requireAtMost(Duration most) {
		List<ChaosCall> slow = this.calls.stream()
			.filter((call) -> call.nanos() > most.toNanos())
			.sorted(Comparator.comparingLong(ChaosCall::nanos).reversed())
			.toList();
		assertThat(slow).allSatisfy((call) -> assertThat(call.nanos() / 1_000_000).as("%s, late by %d ms", call, lateness(call) / 1_000_000)
			.isLessThanOrEqualTo((most.toNanos() + 2 * lateness(call)) / 1_000_000));
		return "longest call " + this.longest.get() / 1_000_000 + " ms, " + slow.size() + " above " + most.toMillis()
				+ " ms on a machine that wakes threads up to "
				+ this.late.stream().mapToLong(Late::nanos).max().orElse(0) / 1_000_000 + " ms late";
	}

	private long lateness(ChaosCall call) {
		return this.late.stream()
			.filter((wake) -> wake.due() - call.end() < 0 && wake.woken() - call.begin() > 0)
			.mapToLong(Late::nanos)
			.sum();
	}

	/** A thread that woke late: when it should have, and when it did. */
	private record Late(long due, long woken) {

		long nanos() {
			return this.woken - this.due;
		}

	}

}
