package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.key.Memo;
import io.github.ratelimit.spring.web.RateLimitRule.Mismatch;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The rules whose paths and methods match a request, found once for the paths that are
 * requested most. Thread-safe.
 */
final class RuleCandidates {

	private final List<RateLimitRule> rules;

	private final boolean measureResponses;

	private final boolean readForms;

	private final Function<@Nullable ApplicationContext, ReservedPaths> reserved;

	private final Memo<Known> known = new Memo<>(256);

	/**
	 * Creates the candidates among rules.
	 * @param reserved returns the reserved paths of a server, always the same
	 */
	RuleCandidates(List<RateLimitRule> rules, Function<@Nullable ApplicationContext, ReservedPaths> reserved) {
		this.rules = List.copyOf(rules);
		this.measureResponses = rules.stream().anyMatch(RateLimitRule::measuresResponse);
		this.readForms = rules.stream().anyMatch(RateLimitRule::readsForm);
		this.reserved = reserved;
	}

	/** Returns all rules. */
	List<RateLimitRule> all() {
		return this.rules;
	}

	/** Returns whether a rule charges by the size of the response. */
	boolean measureResponses() {
		return this.measureResponses;
	}

	/** Returns whether a rule has a field of a form as its key. */
	boolean readForms() {
		return this.readForms;
	}

	/** Returns the rules that match a request, whatever their phase and condition. */
	List<RateLimitRule> of(RuleRequest request) {
		String path = request.onlyPath();
		if (path == null) {
			return match(request);
		}
		int method = request.method().hashCode();
		Known known = this.known.get(path, method);
		if (known == null || !known.isFor(path, request)) {
			known = new Known(path, request.method(), request.server(), match(request));
			this.known.put(path, method, known);
		}
		return known.rules();
	}

	private List<RateLimitRule> match(RuleRequest request) {
		Predicate<PathPattern> eligible = eligible(request);
		List<RateLimitRule> matching = new ArrayList<>();
		for (RateLimitRule rule : this.rules) {
			if (rule.mayMatch(request, eligible)) {
				matching.add(rule);
			}
		}
		return List.copyOf(matching);
	}

	/** Returns which patterns may match a request. */
	private Predicate<PathPattern> eligible(RuleRequest request) {
		ReservedPaths reserved = this.reserved.apply(request.server());
		boolean isReserved = request.isWithin(reserved.paths());
		return (pattern) -> !isReserved || reserved.areNamedBy(pattern);
	}

	/** Returns why a rule does not apply to a request, or null. */
	@Nullable Mismatch mismatch(RateLimitRule rule, RuleRequest request) {
		return rule.mismatch(request, eligible(request));
	}

	/** The rules for a request. */
	private record Known(String path, HttpMethod method, @Nullable ApplicationContext server,
			List<RateLimitRule> rules) {

		@SuppressWarnings("ReferenceEquality") // of the server
		boolean isFor(String path, RuleRequest request) {
			return this.server == request.server() && this.path.equals(path) && this.method.equals(request.method());
		}

	}

}
