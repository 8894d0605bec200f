package io.github.ratelimit.spring.graphql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import graphql.ErrorClassification;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.spring.rejection.Rejection;
import io.github.ratelimit.spring.rejection.Rejection.Reason;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.graphql.execution.SubscriptionExceptionResolver;

/**
 * A resolver of rejections, which become errors of the response. A client finds when to
 * try again, in seconds, in the extension {@code retryAfter}, and the names of the
 * policies in {@code violatedPolicies}.
 */
public final class GraphQlErrors implements DataFetcherExceptionResolver, SubscriptionExceptionResolver {

	/** The extension with the seconds after which to try again. */
	static final String RETRY_AFTER = "retryAfter";

	private static final String VIOLATED_POLICIES = "violatedPolicies";

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable exception, DataFetchingEnvironment environment) {
		return errors(exception, () -> GraphqlErrorBuilder.newError(environment));
	}

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable exception) {
		return errors(exception, GraphqlErrorBuilder::newError);
	}

	/** Returns the error of a rejected operation, or null for other failures. */
	@Nullable GraphQLError of(Throwable failure) {
		return error(failure, GraphqlErrorBuilder::newError);
	}

	private static Mono<List<GraphQLError>> errors(Throwable failure, Supplier<GraphqlErrorBuilder<?>> builder) {
		GraphQLError error = error(failure, builder);
		return (error != null) ? Mono.just(List.of(error)) : Mono.empty();
	}

	private static @Nullable GraphQLError error(Throwable failure, Supplier<GraphqlErrorBuilder<?>> builder) {
		Rejection rejection = Rejection.of(failure);
		return (rejection != null) ? builder.get()
			.message(rejection.title())
			.errorType(classification(rejection.reason()))
			.extensions(extensions(rejection))
			.build() : null;
	}

	private static ErrorClassification classification(Reason reason) {
		return switch (reason) {
			case DENIED -> GraphQlRejection.RATE_LIMITED;
			case INVALID_COST -> ErrorType.BAD_REQUEST;
			case REFUSED_CALLER -> ErrorType.FORBIDDEN;
			case UNAVAILABLE -> GraphQlRejection.UNAVAILABLE;
		};
	}

	private static Map<String, Object> extensions(Rejection rejection) {
		Map<String, Object> extensions = new LinkedHashMap<>();
		if (rejection.retryAfter() != null) {
			extensions.put(RETRY_AFTER, rejection.retryAfter());
		}
		if (!rejection.violatedPolicies().isEmpty()) {
			extensions.put(VIOLATED_POLICIES, rejection.violatedPolicies());
		}
		return extensions;
	}

}
