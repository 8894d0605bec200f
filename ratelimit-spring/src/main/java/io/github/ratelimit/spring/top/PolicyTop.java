package io.github.ratelimit.spring.top;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.top.TopList.Entry;

/**
 * The top keys of one policy on this instance, over a window that is between one and two
 * periods long. Thread-safe. It takes up to 96 KB.
 */
final class PolicyTop {

	/** The period after which counting starts again. */
	static final Duration PERIOD = Duration.ofMinutes(5);

	/** The most keys of a list. */
	static final int MOST = 50;

	/** The counters of a sketch, a compromise of memory and error. */
	static final int COUNTERS = 128;

	/** Keys that are longer count under their digest, which bounds the memory. */
	private static final int LONGEST = 56;

	private SpaceSaving denied = new SpaceSaving(COUNTERS);

	private SpaceSaving shadowDenied = new SpaceSaving(COUNTERS);

	private SpaceSaving spent = new SpaceSaving(COUNTERS);

	private TopReport before = TopReport.EMPTY;

	private long startedAt;

	PolicyTop(long now) {
		this.startedAt = now;
	}

	/**
	 * Counts a denial.
	 * @param now the time in nanoseconds
	 */
	synchronized void deny(String key, long now) {
		turnOver(now);
		this.denied.add(bounded(key), 1);
	}

	/**
	 * Counts a call that would have been denied but for the shadow.
	 * @param now the time in nanoseconds
	 */
	synchronized void denyInShadow(String key, long now) {
		turnOver(now);
		this.shadowDenied.add(bounded(key), 1);
	}

	/**
	 * Counts spent permits.
	 * @param now the time in nanoseconds
	 */
	synchronized void spend(String key, long permits, long now) {
		turnOver(now);
		this.spent.add(bounded(key), permits);
	}

	synchronized TopReport report(long now) {
		turnOver(now);
		TopReport current = current(now);
		TopReport both = TopReport.merge(List.of(current, this.before), MOST);
		return new TopReport(current.seconds() + this.before.seconds(), both.denied(), both.shadowDenied(),
				both.spent());
	}

	/** Returns a counted key that matches. */
	synchronized Optional<String> find(Predicate<String> condition) {
		return Stream
			.of(this.denied.top(COUNTERS), this.shadowDenied.top(COUNTERS), this.spent.top(COUNTERS),
					this.before.denied(), this.before.shadowDenied(), this.before.spent())
			.flatMap((list) -> list.entries().stream())
			.map(Entry::key)
			.filter(condition)
			.findFirst();
	}

	private void turnOver(long now) {
		long elapsed = now - this.startedAt;
		if (elapsed < PERIOD.toNanos()) {
			return;
		}
		this.before = (elapsed < 2 * PERIOD.toNanos()) ? current(now) : TopReport.EMPTY;
		this.denied = new SpaceSaving(COUNTERS);
		this.shadowDenied = new SpaceSaving(COUNTERS);
		this.spent = new SpaceSaving(COUNTERS);
		this.startedAt = now;
	}

	private TopReport current(long now) {
		return new TopReport(seconds(now), this.denied.top(MOST), this.shadowDenied.top(MOST), this.spent.top(MOST));
	}

	private long seconds(long now) {
		return Duration.ofNanos(now - this.startedAt).toSeconds();
	}

	private static String bounded(String key) {
		return (key.length() <= LONGEST) ? key : KeyDigest.inPlaceOf(key);
	}

}
