package io.github.ratelimit.spring.graphql;

import java.util.List;
import java.util.function.Function;

import graphql.ExecutionResult;
import graphql.GraphQLError;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Handover;
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
 * concurrency are held until the response, or the subscription, has ended.
 */
public final class RateLimitGraphQlInterceptor implements WebGraphQlInterceptor, Ordered {

	private static final String NAME = "a GraphQL operation";

	/** The types of responses without events. */
	private static final List<MediaType> JSON = List.of(MediaType.APPLICATION_JSON,
			MediaType.APPLICATION_GRAPHQL_RESPONSE);

	private final RateLimiter limiter;

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
		this.limiter = limiter;
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
		return this.callers.of(request).flatMap((caller) -> {
			Mono<Mono<WebGraphQlResponse>> decided = Mono.defer(() -> decide(request, chain, caller));
			return decided.onErrorResume((failure) -> rejection(request, failure))
				.flatMap(Function.identity())
				.contextWrite((context) -> this.callers.bind(context, caller));
		});
	}

	/** Emits the response to come, or fails with the rejection. */
	private Mono<Mono<WebGraphQlResponse>> decide(WebGraphQlRequest request, Chain chain, Caller caller) {
		List<Charge> charges = this.charges.of(request, caller);
		return charges.isEmpty() ? Mono.just(chain.next(request)) : reserve(charges).map((reservation) -> {
			if (!reservation.decision().allowed()) {
				throw new RateLimitExceededException(reservation.decision(), NAME);
			}
			return released(chain.next(request), reservation, subscribes(request));
		});
	}

	/** Blocks where threads may block, as data fetchers may block, too. */
	private Mono<Reservation> reserve(List<Charge> charges) {
		if (!Schedulers.isInNonBlockingThread()) {
			return Mono.fromCallable(() -> this.limiter.reserve(charges));
		}
		return Mono.defer(() -> Handover.whenDecided(this.limiter.reserveAsync(charges).toCompletableFuture(),
				() -> Schedulers.parallel()::schedule, this.limiter::refundAsync));
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

	private Mono<WebGraphQlResponse> released(Mono<WebGraphQlResponse> response, Reservation reservation,
			boolean subscribes) {
		if (!reservation.holdsPermits()) {
			return response;
		}
		Runnable release = () -> this.limiter.releaseAsync(reservation);
		return response.map((result) -> released(result, release, subscribes))
			.doOnError((failure) -> release.run())
			.doOnCancel(release);
	}

	private static WebGraphQlResponse released(WebGraphQlResponse response, Runnable release, boolean subscribes) {
		if (subscribes && response.getData() instanceof Publisher<?> subscription) {
			Flux<?> released = Flux.from(subscription).doFinally((end) -> release.run());
			return response.transform((builder) -> builder.data(released));
		}
		release.run();
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
