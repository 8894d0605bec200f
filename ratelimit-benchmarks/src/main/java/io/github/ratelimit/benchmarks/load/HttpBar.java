package io.github.ratelimit.benchmarks.load;

import java.util.function.ToDoubleFunction;

/**
 * A target of applications that are called over HTTP.
 */
enum HttpBar {

	/** An annotation that admits by Redis. */
	REDIS("admitted, Redis: × filter by hand", 1, HttpApplication.REDIS, HttpApplication.REDIS_BY_HAND,
			Scenario.SPREAD),

	/** An annotation that denies. */
	DENIED("denied, memory: × filter by hand", 0.95, HttpApplication.MEMORY, HttpApplication.MEMORY_BY_HAND,
			Scenario.HOT_DENIED),

	/** A rule that denies. */
	DENIED_BY_RULE("denied, rule in memory: × filter by hand", 0.95, HttpApplication.RULE,
			HttpApplication.MEMORY_BY_HAND, Scenario.HOT_DENIED),

	/** An annotation that denies by Redis. */
	DENIED_REDIS("denied, Redis: × filter by hand", 1, HttpApplication.REDIS, HttpApplication.REDIS_BY_HAND,
			Scenario.HOT_DENIED),

	/** The cost of a denial by Redis. */
	DENIAL_COST_REDIS("Redis, processor time of a denial: × a request", HttpApplication.REDIS);

	private static final double MOST_OF_REQUEST = 0.8;

	private final String what;

	private final double bound;

	private final boolean isSpeed;

	private final HttpApplication one;

	private final Scenario of;

	private final HttpApplication other;

	private final Scenario ofOther;

	HttpBar(String what, double bound, HttpApplication one, HttpApplication other, Scenario scenario) {
		this.what = what;
		this.bound = bound;
		this.isSpeed = true;
		this.one = one;
		this.of = scenario;
		this.other = other;
		this.ofOther = scenario;
	}

	HttpBar(String what, HttpApplication application) {
		this.what = what;
		this.bound = MOST_OF_REQUEST;
		this.isSpeed = false;
		this.one = application;
		this.of = Scenario.HOT_DENIED;
		this.other = application;
		this.ofOther = Scenario.SPREAD;
	}

	/** Returns the bar as it was measured on a server. */
	Bar of(String server, Results results, Load load) {
		ToDoubleFunction<Figures> figure = this.isSpeed ? Figures::perSecond : Figures::serverMicros;
		double measured = results.ratio(new Cell(this.one.title(), this.of, load),
				new Cell(this.other.title(), this.ofOther, load), figure);
		String title = server + ", " + this.what;
		return this.isSpeed ? Bar.atLeast(this.bound, title, measured) : Bar.atMost(this.bound, title, measured);
	}

}
