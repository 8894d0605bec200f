package io.github.ratelimit.spring.graphql;

import java.util.function.Supplier;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

class QueryDoorTests extends OperationDoor {

	@Override
	Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work) {
		return interceptor.intercept(request("{ products { name } }"),
				(request) -> work.get().map((data) -> response(request, data)));
	}

}
