package io.github.ratelimit.spring.web.reactive;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.expression.ResponseView;
import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * The callers and charges of reactive requests, and the headers that report the charges.
 * The charges are an attribute of the exchange.
 */
public final class ReactiveRequests {

	private static final String CHARGES = RequestCharges.class.getName();

	private final RateLimitHeaders headers;

	private final Function<ServerWebExchange, Mono<Caller>> callers;

	/**
	 * Creates reactive requests.
	 * @param headers the headers of responses
	 * @param callers returns the caller of an exchange
	 */
	public ReactiveRequests(RateLimitHeaders headers, Function<ServerWebExchange, Mono<Caller>> callers) {
		this.headers = headers;
		this.callers = callers;
	}

	/**
	 * Returns the charges of the request that a subscriber serves.
	 * @param context the subscriber's context
	 * @return the charges; {@link RequestCharges#NONE} outside a request
	 */
	public RequestCharges of(ContextView context) {
		return ServerWebExchangeContextFilter.getExchange(context).map(this::of).orElse(RequestCharges.NONE);
	}

	/**
	 * Returns the charges of an exchange, and starts them at its first call.
	 * @param exchange an exchange
	 * @return its charges
	 */
	public RequestCharges of(ServerWebExchange exchange) {
		RequestCharges known = find(exchange);
		return known.exists() ? known
				: (RequestCharges) exchange.getAttributes().computeIfAbsent(CHARGES, (name) -> begin(exchange, true));
	}

	/**
	 * Finds the charges of an exchange.
	 * @param exchange an exchange
	 * @return its charges; {@link RequestCharges#NONE} if none have started
	 */
	public RequestCharges find(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(CHARGES, RequestCharges.NONE);
	}

	/** Returns the charges of an exchange that has failed, perhaps before its first. */
	RequestCharges ofFailed(ServerWebExchange exchange) {
		return (RequestCharges) exchange.getAttributes().computeIfAbsent(CHARGES, (name) -> begin(exchange, false));
	}

	/**
	 * Ends the charges of an exchange. Those that would start later, as a decision is
	 * under way on another thread, have ended too.
	 */
	void end(ServerWebExchange exchange, ResponseView response, @Nullable Throwable failure) {
		Object known = exchange.getAttributes().computeIfAbsent(CHARGES, (name) -> new RequestCharges((decision) -> {
		}));
		((RequestCharges) known).end(response, failure);
	}

	/**
	 * Reports a denial at once, as a commit that has failed reports nothing. The next
	 * commit reports it again, as others may have changed the headers.
	 */
	void report(Decision denial, ServerWebExchange exchange) {
		setHeaders(denial, exchange.getResponse().getHeaders());
	}

	/** Emits the caller of an exchange. */
	Mono<Caller> caller(ServerWebExchange exchange) {
		return this.callers.apply(exchange);
	}

	/** Leaves the headers to the commit, as decisions arrive on any thread. */
	private RequestCharges begin(ServerWebExchange exchange, boolean mayBeRejected) {
		RequestCharges charges = new RequestCharges((decision) -> {
		});
		exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> {
			Decision decision = charges.decision();
			if (decision != null) {
				setHeaders(decision, exchange.getResponse().getHeaders());
			}
			if (mayBeRejected) {
				forbidStoring(exchange.getResponse());
			}
		}));
		return charges;
	}

	/** Replaces the header of a filter if the application itself handled the denial. */
	private static void forbidStoring(ServerHttpResponse response) {
		if (response.getStatusCode() == HttpStatus.TOO_MANY_REQUESTS) {
			response.getHeaders().set(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		}
	}

	/**
	 * Replaces headers of the same family, such as those of an upstream that a controller
	 * passes on.
	 */
	private void setHeaders(Decision decision, HttpHeaders headers) {
		if (!this.headers.mayBeIn(headers::containsHeader)) {
			this.headers.write(decision, headers::set);
			return;
		}
		Map<String, String> report = this.headers.of(decision);
		removeOthers(report, headers);
		report.forEach(headers::set);
	}

	/**
	 * Removes the headers of others. Spring copies all names into a set to return them,
	 * which is only worth it if they are not those of the same report.
	 */
	private void removeOthers(Map<String, String> report, HttpHeaders headers) {
		if (this.headers.mayBeIn((name) -> isOfOthers(headers.get(name), report.get(name)))) {
			List<String> others = headers.headerNames().stream().filter(this.headers::isFamily).toList();
			others.forEach(headers::remove);
		}
	}

	private static boolean isOfOthers(@Nullable List<String> values, @Nullable String reported) {
		return values != null && !(values.size() == 1 && values.get(0).equals(reported));
	}

}
