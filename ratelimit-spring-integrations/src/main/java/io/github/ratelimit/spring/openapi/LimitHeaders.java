package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.http.RateLimitHeaders;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;

/**
 * The headers of responses to limited requests.
 */
final class LimitHeaders {

	/** A decision that has all headers. */
	private static final Decision ANY = Decision.of(0,
			List.of(new LimitDecision("any", "any", Limit.parse("1/1s", Algorithm.TOKEN_BUCKET), 1, 0, 0, 0)));

	private final Set<String> names;

	LimitHeaders(RateLimitHeaders headers) {
		this.names = new TreeSet<>(headers.of(ANY).keySet());
	}

	/** Adds the headers that report limits to a response. */
	void addLimits(ApiResponse response) {
		this.names.forEach((name) -> add(response, name, description(name), schema(name)));
	}

	/** Adds the header that says when to try again to a response. */
	void addRetryAfter(ApiResponse response) {
		add(response, RateLimitFields.RETRY_AFTER, "Seconds after which to try again", new IntegerSchema());
	}

	private static void add(ApiResponse response, String name, String description, Schema<?> schema) {
		Map<String, Header> known = response.getHeaders();
		if (response.get$ref() == null
				&& (known == null || known.keySet().stream().noneMatch(name::equalsIgnoreCase))) {
			response.addHeaderObject(name, new Header().description(description).schema(schema));
		}
	}

	private static String description(String name) {
		if (name.endsWith("-Policy")) {
			return "What the limits allow";
		}
		if (name.endsWith("-Limit")) {
			return "Requests that the limit with the least room allows";
		}
		if (name.endsWith("-Remaining")) {
			return "Requests that are left";
		}
		return name.endsWith("-Reset") ? "When the limit is reset"
				: "What is left of the limits, and when there is more";
	}

	/** Returns a number for the headers of one limit, which are numbers alone. */
	private static Schema<?> schema(String name) {
		return name.matches(".*-(Limit|Remaining|Reset)") ? new IntegerSchema().format(null) : new StringSchema();
	}

}
