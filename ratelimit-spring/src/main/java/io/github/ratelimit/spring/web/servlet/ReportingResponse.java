package io.github.ratelimit.spring.web.servlet;

import java.util.List;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;

import org.springframework.web.util.WebUtils;

/**
 * A response whose headers of the limiter's family are those of the limiter alone, once
 * it has decided. A controller that passes on the response of an upstream with limits of
 * its own would mix two reports.
 */
final class ReportingResponse extends HttpServletResponseWrapper {

	private final RateLimitHeaders dialect;

	private boolean reports;

	private ReportingResponse(HttpServletResponse response, RateLimitHeaders dialect) {
		super(response);
		this.dialect = dialect;
	}

	/** Returns a response as a reporting one: itself if it is dispatched again. */
	static HttpServletResponse of(HttpServletResponse response, RateLimitHeaders dialect) {
		return (WebUtils.getNativeResponse(response, ReportingResponse.class) != null) ? response
				: new ReportingResponse(response, dialect);
	}

	/** Sets the headers of a decision on a response, which may be behind wrappers. */
	static void report(Decision decision, RateLimitHeaders dialect, HttpServletResponse response) {
		ReportingResponse reporting = WebUtils.getNativeResponse(response, ReportingResponse.class);
		if (reporting != null) {
			reporting.report(decision);
		}
		else {
			dialect.write(decision, response::setHeader);
		}
	}

	private void report(Decision decision) {
		if (!this.reports) {
			removeOthers();
		}
		this.dialect.write(decision, super::setHeader);
		this.reports = true;
	}

	/** Removes the headers of others. Only then are the names copied. */
	private void removeOthers() {
		for (String name : getHeaderNames()) {
			if (this.dialect.isFamily(name)) {
				List.copyOf(getHeaderNames())
					.stream()
					.filter(this.dialect::isFamily)
					.forEach((other) -> super.setHeader(other, null));
				return;
			}
		}
	}

	@Override
	public void setHeader(String name, String value) {
		if (!isOwn(name)) {
			super.setHeader(name, value);
		}
	}

	@Override
	public void addHeader(String name, String value) {
		if (!isOwn(name)) {
			super.addHeader(name, value);
		}
	}

	@Override
	public void setIntHeader(String name, int value) {
		if (!isOwn(name)) {
			super.setIntHeader(name, value);
		}
	}

	@Override
	public void addIntHeader(String name, int value) {
		if (!isOwn(name)) {
			super.addIntHeader(name, value);
		}
	}

	private boolean isOwn(String header) {
		return this.reports && this.dialect.isFamily(header);
	}

}
