package io.github.ratelimit.spring.grpc;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated methods of gRPC services, whose calls end after the method has returned.
 */
@Tag("long")
class GrpcCallEndTests {

	private final ApplicationContextRunner application = GrpcApplication.runner()
		.withPropertyValues("ratelimit.policies.held.limits=1 concurrent",
				"ratelimit.policies.failed.limits=10/1d fixed-window",
				"ratelimit.policies.succeeded.limits=10/1d fixed-window")
		.withBean(Responses.class, () -> new Responses(new LinkedBlockingQueue<>()))
		.withBean(Later.class);

	@ParameterizedTest
	@ValueSource(strings = { "say", "repeat", "collect" })
	void holdAPermitUntilTheCallHasEnded(String kind) {
		this.application.run((context) -> {
			ended(context, kind, StreamObserver::onCompleted);
			assertThat(remaining(context, "failed")).isEqualTo(10);
			assertThat(remaining(context, "succeeded")).isEqualTo(9);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "say", "repeat", "collect" })
	void areChargedByTheFailureOfTheCall(String kind) {
		this.application.run((context) -> {
			ended(context, kind, (response) -> response.onError(new IllegalStateException("failed later")));
			assertThat(remaining(context, "failed")).isEqualTo(9);
			assertThat(remaining(context, "succeeded")).isEqualTo(10);
		});
	}

	@Test
	void releaseThePermitWhenTheClientCancels() {
		this.application.run((context) -> {
			try (EchoClient client = EchoClient.of(context)) {
				EchoClient.Upload upload = client.collect();
				context.getBean(Responses.class).queue().take();
				assertThat(remaining(context, "held")).isZero();
				upload.cancel();
				Awaitility.await().untilAsserted(() -> assertThat(remaining(context, "held")).isOne());
			}
		});
	}

	private static void ended(ApplicationContext context, String kind, Consumer<StreamObserver<String>> end)
			throws InterruptedException {
		try (EchoClient client = EchoClient.of(context)) {
			CompletableFuture<?> call = CompletableFuture.supplyAsync(() -> call(client, kind))
				.exceptionally(Throwable::toString);
			StreamObserver<String> response = context.getBean(Responses.class).queue().take();
			assertThat(remaining(context, "held")).isZero();
			end.accept(response);
			call.join();
			assertThat(remaining(context, "held")).isOne();
		}
	}

	private static Object call(EchoClient client, String kind) {
		return switch (kind) {
			case "say" -> client.say("");
			case "repeat" -> client.repeat("");
			default -> client.collect().status();
		};
	}

	private static long remaining(ApplicationContext context, String policy) {
		return context.getBean(RateLimiter.class)
			.peek(List.of(Charge.of(policy, "global")))
			.limits()
			.get(0)
			.remaining();
	}

	/** A service that responds when the test does. */
	@RateLimited("held")
	@RateLimited(policy = "failed", chargeOn = IllegalStateException.class)
	@RateLimited(policy = "succeeded", refundOn = IllegalStateException.class)
	static class Later extends EchoGrpc.EchoImplBase {

		private final Responses responses;

		Later(Responses responses) {
			this.responses = responses;
		}

		@Override
		public void say(String request, StreamObserver<String> response) {
			this.responses.queue().add(response);
		}

		@Override
		public void repeat(String request, StreamObserver<String> response) {
			this.responses.queue().add(response);
		}

		@Override
		public StreamObserver<String> collect(StreamObserver<String> response) {
			this.responses.queue().add(response);
			return super.collect(response);
		}

	}

	/** The responses that calls wait for. */
	record Responses(BlockingQueue<StreamObserver<String>> queue) {

	}

}
