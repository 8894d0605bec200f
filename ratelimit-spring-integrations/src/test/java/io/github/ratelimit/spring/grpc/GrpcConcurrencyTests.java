package io.github.ratelimit.spring.grpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.github.ratelimit.spring.grpc.GrpcApplication.assertDenied;
import static io.github.ratelimit.spring.grpc.GrpcApplication.assertThatCodeOf;
import static io.github.ratelimit.spring.grpc.GrpcApplication.calling;
import static org.assertj.core.api.Assertions.assertThat;

/** Limits on concurrency, whose permits calls hold until they end. */
@Tag("long")
class GrpcConcurrencyTests {

	private final ApplicationContextRunner application = GrpcApplication.runner()
		.withPropertyValues("ratelimit.policies.open.limits=1 concurrent", "ratelimit.grpc.policies=open")
		.withBean(StatusRecorder.class);

	@Test
	void releasesBeforeTheClientSeesTheEnd() {
		List<Boolean> room = new CopyOnWriteArrayList<>();
		this.application.withBean(GrpcApplication.Echo.class).run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			context.getBean(StatusRecorder.class).onClose = () -> room
				.add(limiter.peek(List.of(Charge.of("open", Policy.EVERYONE))).allowed());
			calling((client) -> {
				client.say("one");
				client.repeat("two");
				client.collect().complete();
			}).accept(context);
			assertThat(room).containsExactly(true, true, true);
		});
	}

	@Test
	void holdsWhileAStreamIsOpen() {
		this.application.withBean(Open.class).run(calling((client) -> {
			EchoClient.Upload upload = open(client);
			assertDenied(() -> client.say(""));
			assertThat(upload.complete().getCode()).isEqualTo(Status.Code.OK);
			client.say("");
		}));
	}

	@Test
	void releasesWhenTheClientCancels() {
		this.application.withBean(Open.class).run(calling((client) -> {
			EchoClient.Upload upload = open(client);
			assertDenied(() -> client.say(""));
			upload.cancel();
			awaitRoom(client);
		}));
	}

	@Test
	void releasesOnceAlone() {
		this.application.withPropertyValues("ratelimit.policies.open.limits=2 concurrent")
			.withBean(Open.class)
			.run(calling((client) -> {
				EchoClient.Upload first = open(client);
				client.say("");
				EchoClient.Upload second = open(client);
				assertDenied(() -> client.say(""));
				assertThat(first.isOpen()).isTrue();
				assertThat(second.isOpen()).isTrue();
			}));
	}

	@Test
	void releasesWhenTheServiceFails() {
		this.application.withBean(Failing.class).run(calling((client) -> {
			assertThatCodeOf(() -> client.say("")).isEqualTo(Status.Code.UNKNOWN);
			awaitRoom(client);
		}));
	}

	@Test
	void releasesWhenTheCallDoesNotStart() {
		this.application.withBean(Limited.class).run(calling((client) -> {
			assertThat(client.collect().complete().getCode()).isEqualTo(Status.Code.OK);
			assertThat(client.collect().status().getDescription()).isEqualTo("Quota exceeded");
			awaitRoom(client);
		}));
	}

	@Test
	void holdsNothingForADeniedCall() {
		this.application
			.withPropertyValues("ratelimit.grpc.policies=open, calls", "ratelimit.policies.calls.key=header:x-api-key")
			.withBean(GrpcApplication.Echo.class)
			.run(calling((client) -> {
				client.say("");
				client.say("");
				assertDenied(() -> client.say(""));
				client.with("x-api-key", "other").say("");
			}));
	}

	/** Returns a stream once the server has started it. */
	private static EchoClient.Upload open(EchoClient client) {
		int before = Open.STARTED.get();
		EchoClient.Upload upload = client.collect();
		Awaitility.await().until(() -> Open.STARTED.get() > before);
		return upload;
	}

	private static void awaitRoom(EchoClient client) {
		Awaitility.await().ignoreExceptions().untilAsserted(() -> assertThat(client.repeat("")).hasSize(2));
	}

	/** A service that counts streams. */
	static class Open extends EchoGrpc.EchoImplBase {

		static final AtomicInteger STARTED = new AtomicInteger();

		@Override
		public StreamObserver<String> collect(StreamObserver<String> response) {
			STARTED.incrementAndGet();
			return super.collect(response);
		}

	}

	/** A service of which one method fails. */
	static class Failing extends EchoGrpc.EchoImplBase {

		@Override
		public void say(String request, StreamObserver<String> response) {
			throw new IllegalStateException("broken");
		}

	}

	/** A service whose streams are limited. */
	static class Limited extends EchoGrpc.EchoImplBase {

		@Override
		@RateLimited(limit = "1/1h")
		public StreamObserver<String> collect(StreamObserver<String> response) {
			return super.collect(response);
		}

	}

}
