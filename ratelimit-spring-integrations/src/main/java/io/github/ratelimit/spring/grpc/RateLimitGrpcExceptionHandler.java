package io.github.ratelimit.spring.grpc;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.rejection.Rejection;
import io.grpc.Status.Code;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

/**
 * The exception handler of rejected gRPC calls. A denial becomes
 * {@code RESOURCE_EXHAUSTED} with {@code google.rpc.RetryInfo} and
 * {@code google.rpc.QuotaFailure}, a failure of the store {@code UNAVAILABLE}. An invalid
 * or unsatisfiable cost becomes {@code INVALID_ARGUMENT} and an unknown or blocked caller
 * {@code PERMISSION_DENIED}; clients should not retry these.
 */
public final class RateLimitGrpcExceptionHandler implements GrpcExceptionHandler, Ordered {

	/** The shortest delay of whole seconds, as the end of a failure is unknown. */
	private static final Duration SHORTEST_DELAY = Duration.newBuilder().setSeconds(1).build();

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	private final Predicate<Throwable> advised;

	/**
	 * Creates a handler.
	 * @param advised matches the exceptions that the application maps itself
	 */
	public RateLimitGrpcExceptionHandler(Predicate<Throwable> advised) {
		this.advised = advised;
	}

	/**
	 * Returns the order of the handler. It comes before handlers without an order, so
	 * that a handler of all exceptions does not replace it.
	 */
	@Override
	public int getOrder() {
		return 0;
	}

	@Override
	public @Nullable StatusException handleException(Throwable exception) {
		Rejection rejection = this.advised.test(exception) ? null : Rejection.of(exception);
		return (rejection != null) ? StatusProto.toStatusException(status(exception, rejection)) : null;
	}

	private static Status status(Throwable exception, Rejection rejection) {
		return switch (rejection.reason()) {
			case DENIED ->
				denied(((RateLimitExceededException) Rejection.unwrapped(exception)).getDecision(), rejection);
			case INVALID_COST -> status(Code.INVALID_ARGUMENT, rejection.title()).build();
			case REFUSED_CALLER -> status(Code.PERMISSION_DENIED, rejection.title()).build();
			case UNAVAILABLE ->
				status(Code.UNAVAILABLE, rejection.title()).addDetails(retryInfo(SHORTEST_DELAY)).build();
		};
	}

	private static Status denied(Decision denial, Rejection rejection) {
		long micros = denial.retryAfterMicros();
		Duration delay = Duration.newBuilder()
			.setSeconds(micros / SECOND)
			.setNanos((int) TimeUnit.MICROSECONDS.toNanos(micros % SECOND))
			.build();
		return status(Code.RESOURCE_EXHAUSTED, rejection.title()).addDetails(retryInfo(delay))
			.addDetails(Any.pack(quotaFailure(rejection)))
			.build();
	}

	/** Returns the violated policies, without a subject, as that would be the key. */
	private static QuotaFailure quotaFailure(Rejection rejection) {
		QuotaFailure.Builder failure = QuotaFailure.newBuilder();
		for (String policy : rejection.violatedPolicies()) {
			failure.addViolations(QuotaFailure.Violation.newBuilder()
				.setQuotaId(policy)
				.setDescription("Rate limit '" + policy + "' exceeded"));
		}
		return failure.build();
	}

	private static Any retryInfo(Duration delay) {
		return Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build());
	}

	private static Status.Builder status(Code code, String message) {
		return Status.newBuilder().setCode(code.value()).setMessage(message);
	}

}
