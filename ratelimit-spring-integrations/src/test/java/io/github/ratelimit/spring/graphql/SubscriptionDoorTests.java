package io.github.ratelimit.spring.graphql;

import java.util.function.Supplier;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class SubscriptionDoorTests extends OperationDoor {

	@Override
	Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work) {
		return interceptor
			.intercept(request("subscription { prices }"),
					(request) -> Mono.fromSupplier(() -> response(request, work.get().flux())))
			.flatMapMany((response) -> (response.getData() instanceof Publisher<?> events) ? events : Flux.empty());
	}

}
