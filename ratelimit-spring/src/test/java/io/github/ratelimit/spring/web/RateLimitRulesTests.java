package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.charge.OutcomeTerms.Condition;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRule.RuleCharge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.mock.web.MockHttpServletRequest;
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

	@ParameterizedTest
	@CsvSource({ "/quotes/1, /quotes/{id}", "/quotes/2, /quotes/{id}", "/a/b, /a/**", "/plain, /plain" })
	void hasItsOwnPatternAsTheRoute(String path, String pattern) {
		assertThat(routes(byRoute(Set.of(), "/a/**", "/plain", "/quotes/{id}"), path)).containsExactly(pattern);
		RateLimitRule ofMethods = byRoute(Set.of(HttpMethod.PUT, HttpMethod.GET), "/a/**", "/plain", "/quotes/{id}");
		assertThat(routes(ofMethods, path)).containsExactly("GET|PUT " + pattern);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/plain", "/{plain}" })
	void hasARouteForEachReadingOfAPath(String pattern) {
		RateLimitRule rule = byRoute(Set.of(), "/a/**", pattern);
		assertThat(routes(rule, "/a/b", "/plain")).containsExactly("/a/**", pattern);
		assertThat(routes(rule, "/a/b", "/a/c", "/unlimited/path")).containsExactly("/a/**");
	}

	/** Returns the routes by which a rule charges a request with readings of its path. */
	private static List<String> routes(RateLimitRule rule, String... paths) {
		RuleRequest request = new RuleRequest(HttpMethod.GET, Stream.of(paths).map(PathContainer::parsePath).toList(),
				new ServletCallerSource().of(new MockHttpServletRequest()), null);
		return RateLimitRules.charges(List.of(rule), request)
			.charges()
			.stream()
			.map((each) -> each.key().substring("route:".length()))
			.toList();
	}

	/** Returns a rule that charges a policy by its route. */
	private static RateLimitRule byRoute(Set<HttpMethod> methods, String... paths) {
		KeyResolvers keys = TestResolvers.create();
		Policy policy = new Policy("quotes", List.of(Limit.parse("5/1m")), List.of("route"));
		Condition none = Condition.parse("", List.of(), keys.scope());
		RuleCharge charge = new RuleCharge(keys.of(policy, policy.keys(), keys.scope(), "a rule"),
				CostExpression.parse("1", keys.scope(), "quotes", "a rule"), new OutcomeTerms(none, none, null));
		return new RateLimitRule(Phase.AFTER_SECURITY,
				Stream.of(paths).map(PathPatternParser.defaultInstance::parse).toList(), List.of(), methods, null,
				List.of(charge));
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
		return new RateLimitRule(phase, List.of(PathPatternParser.defaultInstance.parse(path)), List.of(), methods,
				null, List.of());
	}

}
