package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.Caller;

import org.springframework.http.HttpMethod;

/**
 * The rules that a request met on its way, each of which charges it once.
 *
 * @param method by which it met the latest
 * @param path by which it met the latest, as it was sent or as a filter rewrote it
 * @param rules in the order in which they were met
 */
record MetRules(HttpMethod method, String path, List<RateLimitRule> rules) {

	/** The name of the request's attribute. */
	static final String ATTRIBUTE = MetRules.class.getName();

	static final MetRules NONE = new MetRules(HttpMethod.GET, "", List.of());

	/** What all of the rules charge a caller. */
	static List<Charge> charges(List<RateLimitRule> rules, Caller caller) {
		return (rules.size() == 1) ? rules.get(0).charges().apply(caller)
				: rules.stream().flatMap((rule) -> rule.charges().apply(caller).stream()).toList();
	}

	/** Whether a request still has the method and path by which it met these rules. */
	boolean areOf(HttpMethod method, String path) {
		return this.path.equals(path) && this.method.equals(method);
	}

	/** The rules of a list that the request did not meet before. */
	List<RateLimitRule> missing(List<RateLimitRule> matching) {
		return matching.stream().filter((rule) -> !this.rules.contains(rule)).toList();
	}

	MetRules and(HttpMethod method, String path, List<RateLimitRule> more) {
		return new MetRules(method, path,
				this.rules.isEmpty() ? more : Stream.concat(this.rules.stream(), more.stream()).toList());
	}

}
