package io.github.ratelimit.spring.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener that remembers when calls were admitted, by the clock of the store.
 */
public final class Admissions implements RateLimitListener {

	private final List<Long> times = new CopyOnWriteArrayList<>();

	private final AtomicInteger denials = new AtomicInteger();

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		if (decision.allowed()) {
			this.times.add(decision.storeTimeMicros());
		}
		else {
			this.denials.incrementAndGet();
		}
	}

	/**
	 * Returns the number of calls that were denied.
	 * @return the number
	 */
	public int denials() {
		return this.denials.get();
	}

	/**
	 * Returns the number of calls that were admitted.
	 * @return the number
	 */
	public int count() {
		return this.times.size();
	}

	/**
	 * Verifies that no window has more admissions.
	 * @param most the most admissions
	 * @param window the length of the window
	 */
	public void assertAtMost(int most, Duration window) {
		List<Long> sorted = this.times.stream().sorted().toList();
		for (int i = most; i < sorted.size(); i++) {
			assertThat(sorted.get(i) - sorted.get(i - most))
				.isGreaterThanOrEqualTo(TimeUnit.NANOSECONDS.toMicros(window.toNanos()));
		}
	}

}
