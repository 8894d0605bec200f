package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An application that is called over HTTP: what limits its requests, and where it counts.
 */
enum HttpApplication {

	/** Nothing limits, and the starter is off. */
	OPEN("no limit", WebApplication.OPEN, "ratelimit.enabled=false"),

	/** The starter limits other paths. */
	UNCONCERNED("limits on other paths", WebApplication.OPEN, "ratelimit.store=memory"),

	/** A filter by hand limits, and the starter is off. */
	MEMORY_BY_HAND("filter by hand, memory", WebApplication.OPEN, "ratelimit.enabled=false",
			WebApplication.BY_HAND + "=memory"),

	/** The annotation of a controller method limits. */
	MEMORY("@RateLimited, memory", "", "ratelimit.store=memory"),

	/** A rule limits before Spring Security's filters. */
	RULE_BEFORE("rule before security, memory", WebApplication.OPEN,
			Stream.concat(Stream.of("ratelimit.store=memory"), rules("before-security"))),

	/** A rule limits after Spring Security's filters. */
	RULE("rule, memory", WebApplication.OPEN,
			Stream.concat(Stream.of("ratelimit.store=memory"), rules("after-security"))),

	/** A rule and an annotation limit together. */
	RULE_AND_ANNOTATION("rule and @RateLimited, memory", "", "ratelimit.store=memory", "ratelimit.rules[0].paths=/*",
			"ratelimit.rules[0].policies=" + WebApplication.ALSO),

	/** A filter by hand limits on Redis, and the starter is off. */
	REDIS_BY_HAND("filter by hand, raw Lettuce", WebApplication.OPEN, "ratelimit.enabled=false",
			WebApplication.BY_HAND + "=redis"),

	/** The annotation of a controller method limits on Redis. */
	REDIS("@RateLimited, Redis", "", "ratelimit.store=redis"),

	/** A rule limits on Redis. */
	RULE_REDIS("rule, Redis", WebApplication.OPEN,
			Stream.concat(Stream.of("ratelimit.store=redis"), rules("after-security")));

	private final String title;

	private final String root;

	private final List<String> properties;

	HttpApplication(String title, String root, String... properties) {
		this(title, root, Stream.of(properties));
	}

	HttpApplication(String title, String root, Stream<String> properties) {
		this.title = title;
		this.root = root;
		this.properties = properties.toList();
	}

	/** Returns the name in a table. */
	String title() {
		return this.title;
	}

	/** Returns what it is started with. */
	List<String> properties() {
		return this.properties;
	}

	/** Returns where it is called in a scenario, or null if it has no part in it. */
	@Nullable String path(Scenario scenario) {
		boolean isLimited = this != OPEN && this != UNCONCERNED;
		return (scenario.allows() || isLimited) ? this.root + "/" + scenario.slug() : null;
	}

	private static Stream<String> rules(String phase) {
		return Stream.of(Scenario.SPREAD, Scenario.HOT_DENIED).flatMap((scenario) -> {
			String rule = "ratelimit.rules[" + (scenario.allows() ? 0 : 1) + "].";
			return Stream.of(rule + "paths=" + WebApplication.OPEN + "/" + scenario.slug(),
					rule + "policies=" + scenario.slug(), rule + "phase=" + phase);
		});
	}

}
