package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.http.HttpMethod;

/**
 * The rules that a request has met so far, each of which charges it once.
 *
 * @param method the method of the request when it met the latest rules
 * @param path the path when it met the latest rules, as sent or as a filter rewrote it
 * @param rules the rules in the order in which the request met them
 */
public record AppliedRules(HttpMethod method, String path, List<RateLimitRule> rules) {

	/** The name of the request's attribute. */
	public static final String ATTRIBUTE = AppliedRules.class.getName();

	/** No rules. */
	public static final AppliedRules NONE = new AppliedRules(HttpMethod.GET, "", List.of());

	/**
	 * Returns whether a request still has the method and path of the latest rules.
	 * @param method the request's method
	 * @param path the request's path
	 * @return whether both are the same
	 */
	public boolean isFor(HttpMethod method, String path) {
		return this.path.equals(path) && this.method.equals(method);
	}

	/**
	 * Returns the rules of a list that the request has not met before.
	 * @param matching the rules that the request matches
	 * @return those that have not charged it
	 */
	public List<RateLimitRule> missing(List<RateLimitRule> matching) {
		return matching.stream().filter((rule) -> !this.rules.contains(rule)).toList();
	}

	/**
	 * Returns these rules and more, met by a method and path.
	 * @param method the request's method
	 * @param path the request's path
	 * @param more the rules that it met
	 * @return all rules that the request has met
	 */
	public AppliedRules and(HttpMethod method, String path, List<RateLimitRule> more) {
		return new AppliedRules(method, path,
				this.rules.isEmpty() ? more : Stream.concat(this.rules.stream(), more.stream()).toList());
	}

}
