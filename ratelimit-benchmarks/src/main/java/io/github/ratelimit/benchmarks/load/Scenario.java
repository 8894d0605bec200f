package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Who calls, and how much they may: always one permit for one call.
 */
enum Scenario {

	/** Many callers who all have room. */
	SPREAD("10,000 keys, allowed", 10_000, Duration.ofNanos(1000), 100_000_000),

	/** One caller who has more room than anybody can use. */
	HOT_ALLOWED("one hot key, allowed", 1, Duration.ofNanos(1000), 100_000_000),

	/** One caller whose only permit of an hour is spent. */
	HOT_DENIED("one hot key, denied", 1, Duration.ofHours(1), 1),

	/** Many callers whose only permit of an hour is spent once each has called. */
	SPREAD_DENIED("10,000 keys, denied", 10_000, Duration.ofHours(1), 1),

	/** Many callers of whom Redis must remember for a while that they have called. */
	REMEMBERED("10,000 keys, remembered", 10_000, Duration.ofSeconds(36), 100);

	/** Those that are measured under load. */
	static final List<Scenario> UNDER_LOAD = List.of(SPREAD, HOT_ALLOWED, HOT_DENIED);

	private final String title;

	private final List<String> keys;

	private final Duration refill;

	private final long burst;

	private final String policyField;

	Scenario(String title, int keys, Duration refill, long burst) {
		this.title = title;
		this.keys = IntStream.range(0, keys).mapToObj((key) -> "caller-" + key).toList();
		this.refill = refill;
		this.burst = burst;
		this.policyField = "\"%s\";q=%d;w=%d".formatted(slug(), burst, period().toSeconds());
	}

	/** Returns the name in a table. */
	String title() {
		return this.title;
	}

	/** Its name where names are of small letters: in keys, policies and files. */
	String slug() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Returns the header field that tells its policy. */
	String policyField() {
		return this.policyField;
	}

	/** Returns the scenario after which a path is named. */
	static Scenario ofPath(String path) {
		return Stream.of(values()).filter((scenario) -> path.endsWith(scenario.slug())).findFirst().orElseThrow();
	}

	/** All who call. */
	List<String> keys() {
		return this.keys;
	}

	/** How long it takes until one permit more may be spent. */
	Duration refill() {
		return this.refill;
	}

	/** For how long the permits are that there are for it. */
	Duration period() {
		Duration second = Duration.ofSeconds(1);
		return (this.refill.compareTo(second) < 0) ? second : this.refill;
	}

	/** How many permits there are for a period. */
	long permits() {
		return period().dividedBy(this.refill);
	}

	/** How many permits may be spent at once. */
	long burst() {
		return this.burst;
	}

	/** Whether the calls that are measured are to be admitted. */
	boolean allows() {
		return this.burst > 1;
	}

}
