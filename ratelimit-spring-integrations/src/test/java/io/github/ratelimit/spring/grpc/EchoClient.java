package io.github.ratelimit.spring.grpc;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;

import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** A client of the server in an application. */
final class EchoClient implements AutoCloseable {

	private final ManagedChannel connection;

	private final Channel channel;

	private EchoClient(ManagedChannel connection, Channel channel) {
		this.connection = connection;
		this.channel = channel;
	}

	static EchoClient of(ApplicationContext application) {
		return from("127.0.0.1", application);
	}

	/** Returns a client at a loopback address. */
	static EchoClient from(String address, ApplicationContext application) {
		ManagedChannel connection = NettyChannelBuilder
			.forAddress("127.0.0.1", application.getBean(GrpcServerLifecycle.class).getPort())
			.localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {

				@Override
				public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
					return new InetSocketAddress(address, 0);
				}

			})
			.usePlaintext()
			.build();
		return new EchoClient(connection, connection);
	}

	/** Returns this client, which sends metadata. */
	EchoClient with(String name, String value) {
		Metadata metadata = new Metadata();
		metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
		return new EchoClient(this.connection,
				ClientInterceptors.intercept(this.channel, MetadataUtils.newAttachHeadersInterceptor(metadata)));
	}

	Channel channel() {
		return this.channel;
	}

	String say(String text) {
		return say(text, CallOptions.DEFAULT);
	}

	String say(String text, CallOptions options) {
		return ClientCalls.blockingUnaryCall(this.channel, EchoGrpc.SAY, options, text);
	}

	List<String> repeat(String text) {
		List<String> responses = new ArrayList<>();
		ClientCalls.blockingServerStreamingCall(this.channel, EchoGrpc.REPEAT, CallOptions.DEFAULT, text)
			.forEachRemaining(responses::add);
		return responses;
	}

	/** Starts a stream to the server, which has to be ended. */
	Upload collect() {
		return new Upload(this.channel.newCall(EchoGrpc.COLLECT, CallOptions.DEFAULT));
	}

	@Override
	public void close() {
		this.connection.shutdownNow();
		try {
			this.connection.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A stream to the server. */
	static final class Upload {

		private final ClientCall<String, String> call;

		private final Ending ending = new Ending();

		Upload(ClientCall<String, String> call) {
			this.call = call;
			call.start(this.ending, new Metadata());
			call.request(1);
			call.sendMessage("part");
		}

		/** Ends the stream and returns the status. */
		Status complete() {
			this.call.halfClose();
			return this.ending.await();
		}

		/** Returns the status with which the server ends the stream. */
		Status status() {
			return this.ending.await();
		}

		boolean isOpen() {
			return !this.ending.status.isDone();
		}

		void cancel() {
			this.call.cancel("no longer needed", null);
		}

	}

	/** The end of a call. */
	private static final class Ending extends ClientCall.Listener<String> {

		private final CompletableFuture<Status> status = new CompletableFuture<>();

		@Override
		public void onClose(Status status, Metadata trailers) {
			this.status.complete(status);
		}

		Status await() {
			return this.status.orTimeout(5, TimeUnit.SECONDS).join();
		}

	}

}
