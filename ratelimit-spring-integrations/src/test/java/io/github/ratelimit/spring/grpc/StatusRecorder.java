package io.github.ratelimit.spring.grpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import org.springframework.core.Ordered;
import org.springframework.grpc.server.GlobalServerInterceptor;

/** An interceptor that records how calls end, as those of metrics do. */
@GlobalServerInterceptor
final class StatusRecorder implements ServerInterceptor, Ordered {

	final List<Status.Code> codes = new CopyOnWriteArrayList<>();

	volatile Runnable onClose = () -> {
	};

	@Override
	public int getOrder() {
		return 0;
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		return next.startCall(new ForwardingServerCall.SimpleForwardingServerCall<>(call) {

			@Override
			public void close(Status status, Metadata trailers) {
				StatusRecorder.this.codes.add(status.getCode());
				StatusRecorder.this.onClose.run();
				super.close(status, trailers);
			}

		}, headers);
	}

}
