package io.github.ratelimit.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;

/**
 * The headers with which the gateway reports its decisions. They replace those of an
 * upstream that limits its requests, too, as clients expect one set.
 */
public final class OwnHeaders {

	private final RateLimitHeaders headers;

	/**
	 * Creates headers.
	 * @param headers the dialect of the gateway
	 */
	public OwnHeaders(RateLimitHeaders headers) {
		this.headers = headers;
	}

	/**
	 * Returns the headers of an upstream's response without those that the gateway sets.
	 * @param upstream the headers of the upstream's response
	 * @param decision the decision of the gateway, if it made one
	 * @return the headers to send
	 */
	public HttpHeaders replaceIn(HttpHeaders upstream, @Nullable Decision decision) {
		if (decision == null || !reports(upstream)) {
			return upstream;
		}
		HttpHeaders kept = new HttpHeaders();
		kept.putAll(upstream);
		this.headers.of(decision).keySet().forEach(kept::remove);
		return kept;
	}

	/** Returns whether there may be something to replace, which is rare. */
	private static boolean reports(HttpHeaders upstream) {
		AtomicBoolean reports = new AtomicBoolean();
		upstream.forEach((name, values) -> {
			if (StringUtils.startsWithIgnoreCase(name, "RateLimit")
					|| StringUtils.startsWithIgnoreCase(name, "X-RateLimit")) {
				reports.set(true);
			}
		});
		return reports.get();
	}

}
