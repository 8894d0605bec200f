package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the paths that a rule excepts. */
class ExceptedPathsTests {

	private static final int PATHS = 100_000;

	private static final List<String> SEGMENTS = List.of("api", "health", "search", "orders", "%61pi", "he%61lth",
			"API", "", ".", "..", "%2e%2e", "%2E", "health;v=1", ";", "..;", "health%2F", "%2Forders", "%5corders",
			"\\orders", "health%20", "health.", "he%2561lth", "api%2Fhealth", "search%3Fx");

	private static final List<PathPattern> EXCEPTED = patterns("/api/health", "/api/search/**");

	private final RateLimitRule rule = rule(EXCEPTED);

	private final RateLimitRule general = rule(List.of());

	@ParameterizedTest
	@ValueSource(strings = { "/api/health", "/api/search", "/api/search/by/name", "/api/he%61lth", "/other" })
	void exceptsPaths(String path) {
		assertThat(isLimited(this.rule, path)).isFalse();
		assertThat(this.rule.limits(PathContainer.parsePath(path))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/orders", "/api/health/", "/api/health/x", "/api/health/../orders",
			"/api/health/%2e%2e/orders", "/api/search/..;/orders", "/api/search/%2e%2e%2Forders", "/api/Health" })
	void exceptsNoOtherPath(String path) {
		assertThat(isLimited(this.rule, path)).isTrue();
	}

	@Test
	void exceptsNoSpellingOfALimitedPath() {
		Random random = new Random(51);
		Set<Boolean> seen = IntStream.range(0, PATHS).mapToObj((i) -> path(random)).map((path) -> {
			boolean limited = isLimited(this.rule, path);
			assertThat(limited || !leadsToLimited(path)).as(path).isTrue();
			assertThat(!limited || isLimited(this.general, path)).as(path).isTrue();
			return limited == isLimited(this.general, path);
		}).collect(Collectors.toSet());
		assertThat(seen).as("paths of both kinds").hasSize(2);
	}

	private static String path(Random random) {
		return random.ints(1 + random.nextInt(5), 0, SEGMENTS.size())
			.mapToObj(SEGMENTS::get)
			.collect(Collectors.joining("/", (random.nextBoolean() ? "/api/" : "/"), ""));
	}

	/** Returns whether Spring finds a controller or a file that is to be limited. */
	private static boolean leadsToLimited(String path) {
		PathContainer sent = PathContainer.parsePath(path);
		boolean controller = patterns("/api/**").get(0).matches(sent)
				&& EXCEPTED.stream().noneMatch((pattern) -> pattern.matches(sent));
		String decoded = UriUtils.decode(path.replaceAll(";[^/]*", ""), StandardCharsets.UTF_8).replace('\\', '/');
		String file = StringUtils.trimTrailingCharacter(StringUtils.cleanPath(decoded.replaceAll("/+", "/")), '/');
		return controller || (file.startsWith("/api/") && !file.equals("/api/health") && !file.equals("/api/search")
				&& !file.startsWith("/api/search/"));
	}

	private static boolean isLimited(RateLimitRule rule, String path) {
		RuleRequest request = new RuleRequest(HttpMethod.GET, PathReadings.of(PathContainer.parsePath(path)),
				Caller.NONE, null);
		return rule.mayMatch(request, (pattern) -> true);
	}

	private static RateLimitRule rule(List<PathPattern> except) {
		return new RateLimitRule(Phase.AFTER_SECURITY, patterns("/api/**"), except, Set.of(), null, List.of());
	}

	private static List<PathPattern> patterns(String... patterns) {
		return Stream.of(patterns).map(PathPatternParser.defaultInstance::parse).toList();
	}

}
