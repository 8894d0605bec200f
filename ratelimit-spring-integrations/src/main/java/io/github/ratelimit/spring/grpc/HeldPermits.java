package io.github.ratelimit.spring.grpc;

import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * The permits of limits on concurrency that a call holds. They are released by whatever
 * ends the call first: its status, before the client receives it, a cancellation, or a
 * failure to start. Later ends release nothing.
 *
 * @param limiter releases
 * @param reservation the reservation of the call
 */
record HeldPermits(RateLimiter limiter, Reservation reservation) {

	/** Starts a call that holds the permits. */
	<Q, R> ServerCall.Listener<Q> startCall(Context context, ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		try {
			return new ReleasingListener<>(
					Contexts.interceptCall(context, new ReleasingCall<>(call, this), headers, next), this);
		}
		catch (Throwable ex) {
			release();
			throw ex;
		}
	}

	/** Releases without blocking, as services may end a call on any thread. */
	private void release() {
		CompletionStage<Void> unused = this.limiter.releaseAsync(this.reservation);
	}

	/** A call that releases the permits when it is closed. */
	private static final class ReleasingCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

		private final HeldPermits permits;

		ReleasingCall(ServerCall<Q, R> call, HeldPermits permits) {
			super(call);
			this.permits = permits;
		}

		@Override
		public void close(Status status, Metadata trailers) {
			this.permits.release();
			super.close(status, trailers);
		}

	}

	/** A listener that releases the permits when the call has ended. */
	private static final class ReleasingListener<Q> extends SimpleForwardingServerCallListener<Q> {

		private final HeldPermits permits;

		ReleasingListener(ServerCall.Listener<Q> listener, HeldPermits permits) {
			super(listener);
			this.permits = permits;
		}

		@Override
		public void onCancel() {
			this.permits.release();
			super.onCancel();
		}

		@Override
		public void onComplete() {
			this.permits.release();
			super.onComplete();
		}

	}

}
