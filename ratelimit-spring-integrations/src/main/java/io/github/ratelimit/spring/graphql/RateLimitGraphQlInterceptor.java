package io.github.ratelimit.spring.graphql;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import graphql.ExecutionResult;
import graphql.GraphQLError;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.Ordered;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.server.WebSocketGraphQlRequest;
import org.springframework.graphql.support.DefaultExecutionGraphQlResponse;
import org.springframework.http.MediaType;

/**
 * An interceptor that decides on operations before they are executed, over HTTP and over
 * WebSockets. A rejected operation is answered with an error. Permits of limits on
 * concurrency are held until the response, or the subscription, has ended. Threads that
 * may block are blocked, as data fetchers may block, too.
 */
public final class RateLimitGraphQlInterceptor implements WebGraphQlInterceptor, Ordered {

	private static final String NAME = "a GraphQL operation";

	/** The types of responses without events. */
	private static final List<MediaType> JSON = List.of(MediaType.APPLICATION_JSON,
			MediaType.APPLICATION_GRAPHQL_RESPONSE);

	private final ReactiveGate gate;

	private final GraphQlCharges charges;

	private final GraphQlCallers callers;

	private final GraphQlErrors errors;

	/**
	 * Creates an interceptor.
	 * @param limiter decides
	 * @param charges the charges of operations
	 * @param callers the callers of operations
	 * @param errors the errors of rejected operations
	 */
	public RateLimitGraphQlInterceptor(RateLimiter limiter, GraphQlCharges charges, GraphQlCallers callers,
			GraphQlErrors errors) {
		this.gate = new ReactiveGate(new Gate(limiter), (task) -> Schedulers.parallel().schedule(task))
			.blockingWherePossible();
		this.charges = charges;
		this.callers = callers;
		this.errors = errors;
	}

	/** Comes after the application's own, which may provide inputs of keys. */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<WebGraphQlResponse> intercept(WebGraphQlRequest request, Chain chain) {
		return this.callers.of(request)
			.flatMap((caller) -> limit(request, chain, caller)
				.contextWrite((context) -> this.callers.bind(context, caller)));
	}

	/** Returns a response that ends its operation, or the error of a rejection. */
	private Mono<WebGraphQlResponse> limit(WebGraphQlRequest request, Chain chain, Caller caller) {
		RequestCharges operation = new RequestCharges((decision) -> {
		});
		return decided(request, chain, caller, operation).onErrorResume((failure) -> rejection(request, failure))
			.flatMap(Function.identity())
			.map((response) -> ended(response, operation, subscribes(request)))
			.doOnError((failure) -> operation.end(null, failure))
			.doOnCancel(() -> operation.end(null, new CancellationException()));
	}

	/** Emits the response to come, or fails with the rejection. */
	private Mono<Mono<WebGraphQlResponse>> decided(WebGraphQlRequest request, Chain chain, Caller caller,
			RequestCharges operation) {
		return Mono.defer(() -> {
			CallCharges charges = CallCharges.of(this.charges.of(request, caller)).untilRequestEnds();
			return this.gate.pass(charges, operation, NAME, () -> Mono.just(chain.next(request))).singleOrEmpty();
		});
	}

	/**
	 * Returns whether the transport subscribes to the events of a subscription. A plain
	 * HTTP response cannot carry them.
	 */
	private static boolean subscribes(WebGraphQlRequest request) {
		List<MediaType> accepted = request.getHeaders().getAccept();
		return request instanceof WebSocketGraphQlRequest
				|| (accepted.stream().anyMatch(MediaType.TEXT_EVENT_STREAM::isCompatibleWith)
						&& accepted.stream().noneMatch((type) -> JSON.stream().anyMatch(type::isCompatibleWith)));
	}

	private static WebGraphQlResponse ended(WebGraphQlResponse response, RequestCharges operation, boolean subscribes) {
		if (subscribes && response.getData() instanceof Publisher<?> subscription) {
			Flux<?> ended = Flux.from(subscription).doFinally((signal) -> operation.end(null, null));
			return response.transform((builder) -> builder.data(ended));
		}
		operation.end(null, null);
		return response;
	}

	private Mono<Mono<WebGraphQlResponse>> rejection(WebGraphQlRequest request, Throwable failure) {
		GraphQLError error = this.errors.of(failure);
		return (error != null) ? Mono.just(Mono.just(response(request, error))) : Mono.error(failure);
	}

	private static WebGraphQlResponse response(WebGraphQlRequest request, GraphQLError error) {
		WebGraphQlResponse response = new WebGraphQlResponse(new DefaultExecutionGraphQlResponse(
				request.toExecutionInput(), ExecutionResult.newExecutionResult().addError(error).build()));
		if (error.getExtensions().get(GraphQlErrors.RETRY_AFTER) instanceof Long seconds) {
			response.getResponseHeaders().set(RateLimitFields.RETRY_AFTER, Long.toString(seconds));
		}
		return response;
	}

}
