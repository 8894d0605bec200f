package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimitExceededException;

import org.springframework.resilience.annotation.Retryable;

/**
 * A bean that calls another whose method is limited, and tries again when that is denied.
 */
class ReportReader {

	private final Reports reports;

	ReportReader(Reports reports) {
		this.reports = reports;
	}

	@Retryable(includes = RateLimitExceededException.class, delay = 1_000)
	String latest() {
		return this.reports.daily();
	}

}
