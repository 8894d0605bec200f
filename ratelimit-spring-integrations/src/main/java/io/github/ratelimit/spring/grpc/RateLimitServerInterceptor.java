package io.github.ratelimit.spring.grpc;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusException;

import org.springframework.core.Ordered;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

/**
 * The interceptor of all gRPC calls. It binds the caller to the context of the call, and
 * charges the policies of all calls before the service sees the call. Permits of limits
 * on concurrency are held until the call has ended.
 *
 * <p>
 * It decides on the thread that starts the call, and may block it. That is a thread of
 * the server's executor, on which handlers may block too, and never one of the transport,
 * unless the server was built with {@code directExecutor()}. Messages of the client queue
 * in the transport meanwhile, under its flow control.
 */
public final class RateLimitServerInterceptor implements ServerInterceptor, Ordered {

	/** The order among global interceptors, behind those of Spring Security. */
	public static final int ORDER = 100;

	private final Gate gate;

	private final GrpcPolicies policies;

	private final GrpcExceptionHandler rejections;

	/**
	 * Creates an interceptor.
	 * @param limiter decides
	 * @param policies the policies that every call charges
	 * @param rejections maps the exceptions that reject a call to statuses
	 */
	public RateLimitServerInterceptor(RateLimiter limiter, GrpcPolicies policies, GrpcExceptionHandler rejections) {
		this.gate = new Gate(limiter);
		this.policies = policies;
		this.rejections = rejections;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		GrpcCaller caller = GrpcCaller.of(call, headers);
		Context context = GrpcCallerSource.contextOf(caller);
		RequestCharges charges = new RequestCharges((decision) -> {
		});
		try {
			List<Charge> made = this.policies.charges(call.getMethodDescriptor(), caller, context.getDeadline());
			this.gate.enter(CallCharges.of(made).untilRequestEnds(), charges, null);
		}
		catch (RuntimeException ex) {
			return rejected(call, ex);
		}
		return new EndedCall(charges).start(GrpcRequests.contextOf(context, charges), call, headers, next);
	}

	/** Closes a call, so that interceptors around this one see its status. */
	private <Q, R> ServerCall.Listener<Q> rejected(ServerCall<Q, R> call, RuntimeException rejection) {
		StatusException status = this.rejections.handleException(rejection);
		if (status == null) {
			throw rejection;
		}
		Metadata trailers = status.getTrailers();
		call.close(status.getStatus(), (trailers != null) ? trailers : new Metadata());
		return new ServerCall.Listener<>() {
		};
	}

}
