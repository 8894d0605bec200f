package io.github.ratelimit.gateway.webmvc;

import java.util.function.Supplier;

import io.github.ratelimit.gateway.OwnHeaders;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.web.servlet.ServletRequests;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A filter of the headers in an upstream's response, which leaves the report of decisions
 * to the gateway.
 */
public final class UpstreamHeadersFilter implements ResponseHttpHeadersFilter {

	private final OwnHeaders headers;

	private final Supplier<@Nullable ServletRequests> requests;

	/**
	 * Creates a filter.
	 * @param headers the headers of the gateway
	 * @param requests supplies the requests and their decisions, or nothing if limits are
	 * disabled
	 */
	public UpstreamHeadersFilter(OwnHeaders headers, Supplier<@Nullable ServletRequests> requests) {
		this.headers = headers;
		this.requests = requests;
	}

	@Override
	public HttpHeaders apply(HttpHeaders input, ServerResponse response) {
		ServletRequests requests = this.requests.get();
		RequestCharges charges = (requests != null) ? requests.current() : null;
		return (charges != null) ? this.headers.replaceIn(input, charges.decision()) : input;
	}

}
