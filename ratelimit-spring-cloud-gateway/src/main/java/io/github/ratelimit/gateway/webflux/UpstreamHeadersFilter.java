package io.github.ratelimit.gateway.webflux;

import java.util.function.Supplier;

import io.github.ratelimit.gateway.OwnHeaders;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.web.reactive.ReactiveRequests;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/**
 * A filter of the headers in an upstream's response, which leaves the report of decisions
 * to the gateway.
 */
public final class UpstreamHeadersFilter implements HttpHeadersFilter {

	private final OwnHeaders headers;

	private final Supplier<@Nullable ReactiveRequests> requests;

	/**
	 * Creates a filter.
	 * @param headers the headers of the gateway
	 * @param requests supplies the requests and their decisions, or nothing if limits are
	 * disabled
	 */
	public UpstreamHeadersFilter(OwnHeaders headers, Supplier<@Nullable ReactiveRequests> requests) {
		this.headers = headers;
		this.requests = requests;
	}

	@Override
	public boolean supports(Type type) {
		return type == Type.RESPONSE;
	}

	@Override
	public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
		ReactiveRequests requests = this.requests.get();
		RequestCharges charges = (requests != null) ? requests.find(exchange) : null;
		return (charges != null) ? this.headers.replaceIn(input, charges.decision()) : input;
	}

}
