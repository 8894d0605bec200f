package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.junit.jupiter.api.Test;

import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the rules that requests match.
 */
class RateLimitRulesTests {

	private final AtomicInteger matched = new AtomicInteger();

	private final RateLimitRule quotes = rule(Phase.AFTER_SECURITY, "/quotes/**", Set.of(HttpMethod.GET));

	private final RateLimitRule early = rule(Phase.BEFORE_SECURITY, "/quotes/{id}", Set.of());

	private final RateLimitRules rules = new RateLimitRules(List.of(this.quotes, this.early), (server) -> {
		this.matched.incrementAndGet();
		return ReservedPaths.NONE;
	});

	@Test
	void matchesThePathOfManyRequestsOnce() {
		for (int request = 0; request < 3; request++) {
			assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/quotes/1")).containsExactly(this.quotes);
			assertThat(matching(Phase.BEFORE_SECURITY, HttpMethod.GET, "/quotes/1")).containsExactly(this.early);
			assertThat(this.rules.matching(request(HttpMethod.GET, "/quotes/1"))).containsExactly(this.quotes,
					this.early);
		}
		assertThat(this.matched).hasValue(1);
	}

	@Test
	void tellsMethodsPathsAndServersApart() {
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/quotes/1")).containsExactly(this.quotes);
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.POST, "/quotes/1")).isEmpty();
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/orders/1")).isEmpty();
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/quotes/1")).containsExactly(this.quotes);
		this.rules.matching(Phase.AFTER_SECURITY,
				new RuleRequest(HttpMethod.GET, "/quotes/1", Caller.NONE, new StaticApplicationContext()));
		assertThat(this.matched).hasValueGreaterThanOrEqualTo(4);
	}

	@Test
	void tellsPathsThatShareASlotApart() {
		for (int path = 0; path < 2000; path++) {
			assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/quotes/" + path)).hasSize(1);
			assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/other/" + path)).isEmpty();
		}
	}

	@Test
	void matchesAllReadingsOfAPath() {
		RuleRequest request = new RuleRequest(HttpMethod.GET,
				List.of(PathContainer.parsePath("/other"), PathContainer.parsePath("/quotes/1")), Caller.NONE, null);
		assertThat(this.rules.matching(Phase.AFTER_SECURITY, request)).containsExactly(this.quotes);
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/other")).isEmpty();
	}

	@Test
	void matchesAgainOnceTheyAreReplaced() {
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/orders/1")).isEmpty();
		RateLimitRule orders = rule(Phase.AFTER_SECURITY, "/orders/**", Set.of());
		this.rules.replaceAll(List.of(orders));
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/orders/1")).containsExactly(orders);
		assertThat(matching(Phase.AFTER_SECURITY, HttpMethod.GET, "/quotes/1")).isEmpty();
	}

	@Test
	void keepsNoLongPath() {
		String path = "/quotes/" + "x".repeat(200);
		for (int request = 0; request < 2; request++) {
			assertThat(this.rules.matching(request(HttpMethod.GET, path))).containsExactly(this.quotes, this.early);
		}
		assertThat(this.matched).hasValue(2);
	}

	private List<RateLimitRule> matching(Phase phase, HttpMethod method, String path) {
		RuleRequest request = request(method, path);
		List<RateLimitRule> matching = this.rules.matching(phase, request);
		assertThat(this.rules.mayMatch(phase, request)).isEqualTo(!matching.isEmpty());
		return matching;
	}

	private static RuleRequest request(HttpMethod method, String path) {
		return new RuleRequest(method, path, Caller.NONE, null);
	}

	private static RateLimitRule rule(Phase phase, String path, Set<HttpMethod> methods) {
		return new RateLimitRule(phase, List.of(PathPatternParser.defaultInstance.parse(path)), methods, null,
				List.of());
	}

}
