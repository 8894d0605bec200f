package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.http.HttpMethod;

/**
 * The rules that were applied to a request so far, each of which charges it once.
 *
 * @param method the method of the request when the latest rules were applied
 * @param path the path when the latest rules were applied, as sent or as a filter rewrote
 * it
 * @param rules the rules in the order in which they were applied
 */
public record AppliedRules(HttpMethod method, String path, List<RateLimitRule> rules) {

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
	 * Returns the rules of a list that were not applied before.
	 * @param matching the rules that the request matches
	 * @return those that have not charged it
	 */
	public List<RateLimitRule> missing(List<RateLimitRule> matching) {
		return matching.stream().filter((rule) -> !this.rules.contains(rule)).toList();
	}

	/**
	 * Returns these rules and more, applied to a method and path.
	 * @param method the request's method
	 * @param path the request's path
	 * @param more the rules that were applied
	 * @return all rules that were applied
	 */
	public AppliedRules and(HttpMethod method, String path, List<RateLimitRule> more) {
		return new AppliedRules(method, path,
				this.rules.isEmpty() ? more : Stream.concat(this.rules.stream(), more.stream()).toList());
	}

}
