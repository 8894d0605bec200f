package io.github.ratelimit.gateway.autoconfigure;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.http.RateLimitHeaders;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The headers that report decisions, none if limits are disabled.
 */
final class ReportedHeaders {

	private ReportedHeaders() {
	}

	static RateLimitHeaders of(ObjectProvider<RateLimitProperties> properties) {
		RateLimitProperties enabled = properties.getIfAvailable();
		return (enabled != null) ? enabled.http().headers() : RateLimitHeaders.NONE;
	}

}
