package io.github.ratelimit.spring.grpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** A service of text, as the compiler of Protocol Buffers would generate it. */
final class EchoGrpc {

	static final MethodDescriptor<String, String> SAY = method(MethodType.UNARY, "Say");

	static final MethodDescriptor<String, String> REPEAT = method(MethodType.SERVER_STREAMING, "Repeat");

	static final MethodDescriptor<String, String> COLLECT = method(MethodType.CLIENT_STREAMING, "Collect");

	private EchoGrpc() {
	}

	private static MethodDescriptor<String, String> method(MethodType type, String name) {
		return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
			.setType(type)
			.setFullMethodName(MethodDescriptor.generateFullMethodName("test.Echo", name))
			.build();
	}

	/** The base of implementations. */
	abstract static class EchoImplBase implements BindableService {

		public void say(String request, StreamObserver<String> response) {
			response.onNext(request);
			response.onCompleted();
		}

		public void repeat(String request, StreamObserver<String> response) {
			response.onNext(request);
			response.onNext(request);
			response.onCompleted();
		}

		public StreamObserver<String> collect(StreamObserver<String> response) {
			return new StreamObserver<>() {

				@Override
				public void onNext(String request) {
				}

				@Override
				public void onError(Throwable failure) {
				}

				@Override
				public void onCompleted() {
					response.onNext("collected");
					response.onCompleted();
				}

			};
		}

		@Override
		public final ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder("test.Echo")
				.addMethod(SAY, ServerCalls.asyncUnaryCall(this::say))
				.addMethod(REPEAT, ServerCalls.asyncServerStreamingCall(this::repeat))
				.addMethod(COLLECT, ServerCalls.asyncClientStreamingCall(this::collect))
				.build();
		}

	}

	/** Text in UTF-8. */
	private static final class Text implements Marshaller<String> {

		@Override
		public InputStream stream(String text) {
			return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public String parse(InputStream stream) {
			try {
				return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
