package io.github.ratelimit.spring.graphql;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.store.RateLimitStoreException;
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
		if (failure instanceof RateLimitExceededException denial) {
			return builder.get()
				.message("Quota exceeded")
				.errorType(GraphQlRejection.RATE_LIMITED)
				.extensions(Map.of(RETRY_AFTER, RateLimitFields.retryAfter(denial.getDecision()), VIOLATED_POLICIES,
						RateLimitFields.violatedPolicies(denial.getDecision())))
				.build();
		}
		if (failure instanceof RateLimitStoreException) {
			return builder.get()
				.message("Temporarily reduced capacity")
				.errorType(GraphQlRejection.UNAVAILABLE)
				.extensions(Map.of(RETRY_AFTER, 1L))
				.build();
		}
		return refusal(failure, builder);
	}

	private static @Nullable GraphQLError refusal(Throwable failure, Supplier<GraphqlErrorBuilder<?>> builder) {
		if (failure instanceof InvalidCostException cost) {
			return builder.get()
				.message("Invalid cost")
				.errorType(ErrorType.BAD_REQUEST)
				.extensions(Map.of(VIOLATED_POLICIES, List.of(cost.getPolicy())))
				.build();
		}
		if (failure instanceof RefusedCallerException refused) {
			return builder.get()
				.message("Caller refused")
				.errorType(ErrorType.FORBIDDEN)
				.extensions(Map.of(VIOLATED_POLICIES, List.of(refused.getPolicy())))
				.build();
		}
		return null;
	}

}
