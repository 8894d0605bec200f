package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.RateLimitExceededException;
import io.grpc.Status;

import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;

/**
 * Advice that sends another status.
 */
@GrpcAdvice
public class DenialAdvice {

	/**
	 * Maps a denial.
	 * @param denial the denial
	 * @return the status
	 */
	@GrpcExceptionHandler
	public Status denied(RateLimitExceededException denial) {
		return Status.RESOURCE_EXHAUSTED.withDescription("Slow down");
	}

}
