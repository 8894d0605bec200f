package io.github.ratelimit.spring.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimited;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.github.ratelimit.spring.grpc.GrpcApplication.assertDenied;
import static io.github.ratelimit.spring.grpc.GrpcApplication.assertThatCodeOf;
import static io.github.ratelimit.spring.grpc.GrpcApplication.calling;
import static org.assertj.core.api.Assertions.assertThat;

/** Limits of the methods of services by annotations. */
class GrpcMethodTests {

	private final ApplicationContextRunner application = GrpcApplication.runner();

	@Test
	void deniesUnaryCalls() {
		run(LimitedEcho.class, (client) -> {
			client.say("");
			client.say("");
			assertDenied(() -> client.say(""));
		});
	}

	@Test
	void deniesStreamsToTheClient() {
		run(LimitedEcho.class, (client) -> {
			EchoClient one = client.with("x-api-key", "one");
			assertThat(one.repeat("")).hasSize(2);
			assertDenied(() -> one.repeat(""));
			assertThat(client.with("x-api-key", "two").repeat("")).hasSize(2);
		});
	}

	@Test
	void deniesStreamsToTheServer() {
		run(LimitedEcho.class, (client) -> {
			assertThat(client.collect().complete().getCode()).isEqualTo(Status.Code.OK);
			assertThat(client.collect().status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		});
	}

	@Test
	void limitsEachAddress() {
		this.application.withBean(LimitedEcho.class).run((context) -> {
			try (EchoClient one = EchoClient.of(context); EchoClient two = EchoClient.from("127.0.0.2", context)) {
				assertThat(one.collect().complete().getCode()).isEqualTo(Status.Code.OK);
				assertThat(one.collect().status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
				assertThat(two.collect().complete().getCode()).isEqualTo(Status.Code.OK);
			}
		});
	}

	@Test
	void limitsAllMethodsOfAClass() {
		run(LimitedClass.class, (client) -> {
			client.say("");
			client.repeat("");
			assertDenied(() -> client.say(""));
			assertThat(client.collect().status().getCode()).as("a method of the base class")
				.isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		});
	}

	@Test
	void keepsDecisionsOfThePropertyApart() {
		this.application.withPropertyValues("ratelimit.grpc.policies=all", "ratelimit.policies.all.limits=3/1h")
			.withBean(LimitedEcho.class)
			.run(calling((client) -> {
				client.say("");
				client.say("");
				assertDenied(() -> client.say(""));
				assertDenied(() -> client.repeat(""));
			}));
	}

	@Test
	void findsTheCallerInCallsOfOtherBeans() {
		this.application.withBean(Quotes.class).withBean(Delegating.class).run(calling((client) -> {
			EchoClient one = client.with("x-api-key", "one");
			one.say("");
			assertDenied(() -> one.say(""));
			client.with("x-api-key", "two").say("");
		}));
	}

	@Test
	void mapsDenialsThatAServiceSends() {
		this.application.withBean(Quotes.class).withBean(Asynchronous.class).run(calling((client) -> {
			client.say("");
			assertDenied(() -> client.say(""));
		}));
	}

	@Test
	void refusesInvalidCosts() {
		run(Priced.class, (client) -> {
			client.say("12345");
			assertThatCodeOf(() -> client.say("1234567")).as("unsatisfiable").isEqualTo(Status.Code.INVALID_ARGUMENT);
			assertThatCodeOf(() -> client.say("123")).as("negative").isEqualTo(Status.Code.INVALID_ARGUMENT);
		});
	}

	private void run(Class<? extends EchoGrpc.EchoImplBase> service, Consumer<EchoClient> calls) {
		this.application.withBean(service).run(calling(calls));
	}

	/** A service with limited methods. */
	static class LimitedEcho extends EchoGrpc.EchoImplBase {

		@Override
		@RateLimited("calls")
		public void say(String request, StreamObserver<String> response) {
			super.say(request, response);
		}

		@Override
		@RateLimited(limit = "1/1h", key = "header:x-api-key")
		public void repeat(String request, StreamObserver<String> response) {
			super.repeat(request, response);
		}

		@Override
		@RateLimited(limit = "1/1h", key = "client-ip")
		public StreamObserver<String> collect(StreamObserver<String> response) {
			return super.collect(response);
		}

	}

	/** A service that is limited as a whole. */
	@RateLimited("calls")
	static class LimitedClass extends EchoGrpc.EchoImplBase {

		@Override
		public void say(String request, StreamObserver<String> response) {
			super.say(request, response);
		}

		@Override
		public void repeat(String request, StreamObserver<String> response) {
			super.repeat(request, response);
		}

	}

	/** A limited bean. */
	static class Quotes {

		@RateLimited(limit = "1/1h", key = "header:x-api-key")
		public String quote() {
			return "quote";
		}

	}

	/** A service that calls a limited bean. */
	static class Delegating extends EchoGrpc.EchoImplBase {

		private final Quotes quotes;

		Delegating(Quotes quotes) {
			this.quotes = quotes;
		}

		@Override
		public void say(String request, StreamObserver<String> response) {
			super.say(this.quotes.quote(), response);
		}

	}

	/** A service that sends the exception of a limited bean. */
	static class Asynchronous extends EchoGrpc.EchoImplBase {

		private final Quotes quotes;

		Asynchronous(Quotes quotes) {
			this.quotes = quotes;
		}

		@Override
		public void say(String request, StreamObserver<String> response) {
			CompletableFuture<?> unused = CompletableFuture.supplyAsync(this.quotes::quote)
				.whenComplete((quote, failure) -> {
					if (failure != null) {
						assertThat(failure).isInstanceOf(CompletionException.class);
						response.onError(failure);
					}
					else {
						super.say(quote, response);
					}
				});
		}

	}

	/** A service whose calls cost different permits. */
	static class Priced extends EchoGrpc.EchoImplBase {

		@Override
		@RateLimited(policy = "calls", cost = "#request.length() - 4")
		public void say(String request, StreamObserver<String> response) {
			super.say(request, response);
		}

	}

}
