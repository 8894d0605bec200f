package io.github.ratelimit.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;

/**
 * The dialects of response headers that report a decision. All but {@link #NONE} report
 * what is allowed, what is left and when there is more; none is a standard.
 * {@code Retry-After} is separate: {@link RateLimitFields#retryAfter}.
 */
public enum RateLimitHeaders {

	/** A dialect without headers. */
	NONE("", List.of(), (decision, headers) -> {
	}),

	/**
	 * {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset} of the limit with
	 * the least room; the reset is a time, in seconds since 1970 by the store's clock.
	 */
	X_RATELIMIT("X-RateLimit-", List.of(), EarlierFields::xRateLimit),

	/**
	 * draft-ietf-httpapi-ratelimit-headers-06: {@code RateLimit-Policy} of all limits;
	 * {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, in seconds from
	 * now, of the limit with the least room.
	 */
	DRAFT_6("RateLimit", EarlierFields.DRAFTS, EarlierFields::draft6),

	/**
	 * draft-ietf-httpapi-ratelimit-headers-07: {@code RateLimit-Policy} of all limits,
	 * {@code RateLimit} of the limit with the least room.
	 */
	DRAFT_7("RateLimit", EarlierFields.DRAFTS, EarlierFields::draft7),

	/**
	 * draft-ietf-httpapi-ratelimit-headers-11: {@code RateLimit-Policy} and
	 * {@code RateLimit} of all limits, by name.
	 */
	DRAFT_11("RateLimit", EarlierFields.DRAFTS, (decision, headers) -> {
		headers.accept(RateLimitFields.RATE_LIMIT_POLICY, RateLimitFields.rateLimitPolicy(decision));
		headers.accept(RateLimitFields.RATE_LIMIT, RateLimitFields.rateLimit(decision));
	});

	private final String family;

	/** The names of the family, if they are known. */
	private final List<String> names;

	private final BiConsumer<Decision, BiConsumer<String, String>> fields;

	RateLimitHeaders(String family, List<String> names, BiConsumer<Decision, BiConsumer<String, String>> fields) {
		this.family = family;
		this.names = names;
		this.fields = fields;
	}

	/**
	 * Returns the headers that report a decision.
	 * @param decision any decision
	 * @return values by header name; empty if the decision has no limits that clients are
	 * told of
	 */
	public Map<String, String> of(Decision decision) {
		Map<String, String> headers = new LinkedHashMap<>();
		write(decision, headers::put);
		return headers;
	}

	/**
	 * Writes the headers that report a decision.
	 * @param decision any decision
	 * @param headers takes each name and value; none if the decision has no limits that
	 * clients are told of
	 */
	public void write(Decision decision, BiConsumer<String, String> headers) {
		if (!RateLimitFields.shown(decision).isEmpty()) {
			this.fields.accept(decision, headers);
		}
	}

	/**
	 * Returns whether a header is of the family to which the headers of this dialect
	 * belong: those that begin with {@code X-RateLimit-}, or with {@code RateLimit}.
	 * Clients read a family as one report, so a response has one from one source.
	 * @param header the name of a header, in any case
	 * @return whether it belongs to this dialect
	 */
	public boolean isFamily(String header) {
		return this != NONE && header.regionMatches(true, 0, this.family, 0, this.family.length());
	}

	/**
	 * Returns whether a response may have headers of the family, without a look at all of
	 * its headers: one of the drafts has at least one name of a draft. Those that begin
	 * with {@code X-RateLimit-} have any names.
	 * @param response tells whether the response has a header
	 * @return whether it may
	 */
	public boolean mayBeIn(Predicate<String> response) {
		for (String name : this.names) {
			if (response.test(name)) {
				return true;
			}
		}
		return this == X_RATELIMIT;
	}

}
