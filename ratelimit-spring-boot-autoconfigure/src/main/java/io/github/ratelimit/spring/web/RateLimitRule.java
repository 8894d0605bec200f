package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.PolicyKey;

import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that limits requests by their path and method, whatever serves them.
 *
 * @param phase the phase in which it is decided
 * @param paths the patterns, one of which the path of a request must match
 * @param methods the methods of requests, {@code HEAD} counting as {@code GET}; empty for
 * any
 * @param condition a condition that must hold too
 * @param keys the policies to charge, with the resolvers of their keys
 * @param cost the permits that a request costs
 */
public record RateLimitRule(Phase phase, List<PathPattern> paths, Set<HttpMethod> methods,
		Predicate<RuleRequest> condition, List<PolicyKey> keys, long cost) {

	/**
	 * The phases in which rules are decided.
	 */
	public enum Phase {

		/** Before Spring Security authenticates the caller, in a decision of its own. */
		BEFORE_SECURITY,

		/** After Spring Security, in one decision with the handler method's limits. */
		AFTER_SECURITY

	}

	/**
	 * Copies the collections.
	 * @param phase the phase in which it is decided
	 * @param paths the patterns, one of which the path of a request must match
	 * @param methods the methods of requests, {@code HEAD} counting as {@code GET}
	 * @param condition a condition that must hold too
	 * @param keys the policies to charge, with the resolvers of their keys
	 * @param cost the permits that a request costs
	 */
	public RateLimitRule {
		paths = List.copyOf(paths);
		methods = Set.copyOf(methods);
		keys = List.copyOf(keys);
	}

	/** Returns the charges of a caller's request, none if no policy limits it. */
	List<Charge> charges(Caller caller) {
		CallContext call = new CallContext(caller, Map.of());
		return this.keys.stream().flatMap((key) -> Stream.ofNullable(key.charge(call, () -> this.cost))).toList();
	}

	/** Returns whether a request matches one of the eligible patterns. */
	boolean matches(RuleRequest request, Predicate<PathPattern> eligible) {
		return hasMethod(request.method()) && hasPath(request, eligible) && this.condition.test(request);
	}

	private boolean hasPath(RuleRequest request, Predicate<PathPattern> eligible) {
		for (PathPattern pattern : this.paths) {
			if (request.matches(pattern) && eligible.test(pattern)) {
				return true;
			}
		}
		return false;
	}

	private boolean hasMethod(HttpMethod method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| (method.equals(HttpMethod.HEAD) && this.methods.contains(HttpMethod.GET));
	}

}
