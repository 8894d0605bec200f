package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.Caller;

import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Requests that are limited wherever they lead.
 *
 * @param phase when it is decided
 * @param paths of which a request's must match one
 * @param methods of which a request's must be one, {@code HEAD} counting as {@code GET};
 * none for any
 * @param condition what else must hold
 * @param charges what a caller's request is charged
 */
public record RateLimitRule(Phase phase, List<PathPattern> paths, Set<HttpMethod> methods,
		Predicate<RuleRequest> condition, Function<Caller, List<Charge>> charges) {

	/**
	 * When a rule is decided.
	 */
	public enum Phase {

		/** Before Spring Security, alone: nobody is authenticated yet. */
		BEFORE_SECURITY,

		/** After Spring Security, in one decision with the handler method's limits. */
		AFTER_SECURITY

	}

	public RateLimitRule {
		paths = List.copyOf(paths);
		methods = Set.copyOf(methods);
	}

	/** Whether a request matches by a pattern that may match it. */
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
