package io.github.ratelimit.spring.grpc;

import java.util.concurrent.CancellationException;

import io.github.ratelimit.spring.charge.RequestCharges;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * The end of a call, with which its charges end too. Whatever comes first ends it: its
 * status, before the client receives it, a cancellation, or a failure to start. Later
 * ends do nothing.
 *
 * @param charges the charges of the call
 */
record EndedCall(RequestCharges charges) {

	/** Starts a call. */
	<Q, R> ServerCall.Listener<Q> start(Context context, ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		try {
			return new EndingListener<>(
					Contexts.interceptCall(context, new EndingCall<>(call, this.charges), headers, next), this.charges);
		}
		catch (Throwable ex) {
			this.charges.end(null, ex);
			throw ex;
		}
	}

	/** A call that ends its charges when it is closed. */
	private static final class EndingCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

		private final RequestCharges charges;

		EndingCall(ServerCall<Q, R> call, RequestCharges charges) {
			super(call);
			this.charges = charges;
		}

		@Override
		public void close(Status status, Metadata trailers) {
			this.charges.end(null, status.isOk() ? null : failure(status));
			super.close(status, trailers);
		}

		private static Throwable failure(Status status) {
			Throwable cause = status.getCause();
			return (cause != null) ? cause : status.asRuntimeException();
		}

	}

	/** A listener that ends the charges of a call that was cancelled. */
	private static final class EndingListener<Q> extends SimpleForwardingServerCallListener<Q> {

		private final RequestCharges charges;

		EndingListener(ServerCall.Listener<Q> listener, RequestCharges charges) {
			super(listener);
			this.charges = charges;
		}

		@Override
		public void onCancel() {
			this.charges.end(null, new CancellationException());
			super.onCancel();
		}

		@Override
		public void onComplete() {
			this.charges.end(null, null);
			super.onComplete();
		}

	}

}
