package io.github.ratelimit.spring.grpc;

import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.integration.ApplicationDoor;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Calls that a client cancels, which the interceptor and the method limit. */
class GrpcCallDoorTests extends ApplicationDoor {

	private @Nullable EchoClient client;

	/** A server drops a call that was cancelled. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/** The service goes on with its work. */
	@Override
	protected boolean cancelsWork() {
		return false;
	}

	/** Threads block while a store decides. */
	@Override
	protected boolean isKnown(Deciding deciding) {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 1_000;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		EchoClient connected = EchoClient.of(start(
				new SpringApplicationBuilder(GrpcApplication.class).web(WebApplicationType.NONE)
					.properties("spring.grpc.server.address=127.0.0.1", "spring.grpc.server.port=0",
							"spring.grpc.server.shutdown.grace-period=0", "ratelimit.grpc.policies=held,spent"),
				limiter, (beans) -> beans.registerBean(Worker.class, () -> new Worker(work))));
		this.client = connected;
		return Mono.<String>create((sink) -> {
			ClientCall<String, String> call = connected.channel().newCall(EchoGrpc.SAY, CallOptions.DEFAULT);
			ClientCalls.asyncUnaryCall(call, "", new Response(sink));
			sink.onCancel(() -> call.cancel("no longer needed", null));
		});
	}

	@AfterEach
	void disconnect() {
		Objects.requireNonNull(this.client).close();
	}

	static class Worker extends EchoGrpc.EchoImplBase {

		private final Supplier<Mono<String>> work;

		Worker(Supplier<Mono<String>> work) {
			this.work = work;
		}

		@Override
		@RateLimited(HELD)
		@RateLimited(SPENT)
		public void say(String request, StreamObserver<String> response) {
			((ServerCallStreamObserver<String>) response).setOnCancelHandler(() -> {
			});
			this.work.get().subscribe(response::onNext, response::onError, response::onCompleted);
		}

	}

	private record Response(MonoSink<String> sink) implements StreamObserver<String> {

		@Override
		public void onNext(String response) {
			this.sink.success(response);
		}

		@Override
		public void onError(Throwable failure) {
			this.sink.error(failure);
		}

		@Override
		public void onCompleted() {
			this.sink.success();
		}

	}

}
