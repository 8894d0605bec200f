package io.github.ratelimit.spring.grpc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

import static io.github.ratelimit.spring.grpc.GrpcApplication.assertDenied;
import static io.github.ratelimit.spring.grpc.GrpcApplication.assertThatCodeOf;
import static io.github.ratelimit.spring.grpc.GrpcApplication.calling;
import static io.github.ratelimit.spring.grpc.GrpcApplication.failure;
import static org.assertj.core.api.Assertions.assertThat;

/** The statuses of rejected calls, by the property and by annotations. */
@Tag("long")
class GrpcStatusTests {

	private final ApplicationContextRunner plain = GrpcApplication.runner().withBean(GrpcApplication.Echo.class);

	private final ApplicationContextRunner application = this.plain.withPropertyValues("ratelimit.grpc.policies=calls");

	private final ApplicationContextRunner annotated = GrpcApplication.runner()
		.withBean(LimitedEcho.class)
		.withPropertyValues("ratelimit.policies.calls.key=header:x-api-key");

	@Test
	void tellsWhenToRetryAndWhichPolicyDenied() {
		Denials denials = new Denials();
		this.application.withBean(Denials.class, () -> denials)
			.withPropertyValues("ratelimit.grpc.policies=calls, everyone",
					"ratelimit.policies.calls.key=header:x-api-key", "ratelimit.policies.everyone.limits=100/1h")
			.run(calling((client) -> {
				EchoClient caller = client.with("x-api-key", "secret");
				caller.say("");
				caller.say("");
				assertDenial(status(() -> caller.say("")), denials);
			}));
	}

	@Test
	void tellsTheSameOfDeniedMethods() {
		Denials denials = new Denials();
		this.annotated.withBean(Denials.class, () -> denials).run(calling((client) -> {
			EchoClient caller = client.with("x-api-key", "secret");
			caller.say("");
			caller.say("");
			assertDenial(status(() -> caller.say("")), denials);
		}));
	}

	@Test
	void reportsAStoreThatFails() {
		for (ApplicationContextRunner runner : List.of(this.application, this.annotated)) {
			runner.withBean(RateLimitStore.class, GrpcStatusTests::failingStore)
				.withPropertyValues("ratelimit.policies.calls.on-store-failure=deny")
				.run(calling((client) -> {
					Status status = status(() -> client.with("x-api-key", "secret").say(""));
					assertThat(status.getCode()).isEqualTo(io.grpc.Status.Code.UNAVAILABLE.value());
					assertThat(detail(status, RetryInfo.class).getRetryDelay().getSeconds()).isOne();
					assertThat(status.toString()).doesNotContain("10.0.0.1", "secret", "calls");
				}));
		}
	}

	@Test
	void admitsCallsThatAStoreFailsToDecideByDefault() {
		this.application.withBean(RateLimitStore.class, GrpcStatusTests::failingStore)
			.run(calling((client) -> assertThat(client.say("one")).isEqualTo("one")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.policies.calls.blocked=ip:127.0.0.0/8",
			"ratelimit.policies.calls.on-missing-key=deny" })
	void refusesCallers(String property) {
		for (ApplicationContextRunner runner : List.of(this.application, this.annotated)) {
			runner.withPropertyValues(property, "ratelimit.policies.calls.key=header:x-api-key")
				.run(calling((client) -> {
					Status status = status(() -> client.say(""));
					assertThat(status.getCode()).isEqualTo(io.grpc.Status.Code.PERMISSION_DENIED.value());
					assertThat(status.toString()).doesNotContain("127.0.0", "calls");
				}));
		}
	}

	@Test
	void precedesHandlersOfAllExceptions() {
		this.application.withBean(CatchAll.class).run(calling((client) -> {
			client.say("");
			client.say("");
			assertDenied(() -> client.say(""));
		}));
	}

	@Test
	void leavesOtherExceptionsToOthers() {
		GrpcApplication.runner()
			.withBean(Failing.class)
			.withBean(CatchAll.class)
			.run(calling((client) -> assertThatCodeOf(() -> client.say("")).isEqualTo(io.grpc.Status.Code.DATA_LOSS)));
	}

	@Test
	void leavesDenialsToTheAdviceOfTheApplication() {
		for (ApplicationContextRunner runner : List.of(this.application, this.annotated)) {
			runner.withBean(Advice.class).run(calling((client) -> {
				client.say("");
				client.say("");
				assertThatCodeOf(() -> client.say("")).isEqualTo(io.grpc.Status.Code.ABORTED);
			}));
		}
	}

	@Test
	void precedesAdviceOfAllExceptions() {
		this.application.withBean(GeneralAdvice.class).run(calling((client) -> {
			client.say("");
			client.say("");
			assertDenied(() -> client.say(""));
		}));
	}

	/** Returns a store that names its address when it fails. */
	private static TestStore failingStore() {
		return new TestStore().fail()
			.failWith(() -> new RateLimitStoreException("No connection to redis://10.0.0.1", null));
	}

	private static void assertDenial(Status status, Denials denials) {
		assertThat(status.getCode()).isEqualTo(io.grpc.Status.Code.RESOURCE_EXHAUSTED.value());
		assertThat(status.getMessage()).isEqualTo("Quota exceeded");
		Duration delay = detail(status, RetryInfo.class).getRetryDelay();
		assertThat(TimeUnit.SECONDS.toMicros(delay.getSeconds()) + delay.getNanos() / 1000)
			.isEqualTo(denials.latest.get().retryAfterMicros())
			.isBetween(TimeUnit.MINUTES.toMicros(29), TimeUnit.MINUTES.toMicros(30));
		assertThat(detail(status, QuotaFailure.class).getViolationsList()).singleElement().satisfies((violation) -> {
			assertThat(violation.getQuotaId()).isEqualTo("calls");
			assertThat(violation.getDescription()).isEqualTo("Rate limit 'calls' exceeded");
		});
		assertThat(status.toString()).doesNotContain("secret", "127.0.0.1", "everyone");
	}

	private static Status status(ThrowingCallable call) {
		Status status = StatusProto.fromThrowable(failure(call));
		assertThat(status).isNotNull();
		return status;
	}

	private static <T extends com.google.protobuf.Message> T detail(Status status, Class<T> type) {
		for (Any detail : status.getDetailsList()) {
			if (detail.is(type)) {
				try {
					return detail.unpack(type);
				}
				catch (InvalidProtocolBufferException ex) {
					throw new AssertionError(ex);
				}
			}
		}
		throw new AssertionError("No " + type + " in " + status);
	}

	/** A service with a limited method. */
	static class LimitedEcho extends EchoGrpc.EchoImplBase {

		@Override
		@RateLimited("calls")
		public void say(String request, StreamObserver<String> response) {
			super.say(request, response);
		}

	}

	/** A service that fails. */
	static class Failing extends EchoGrpc.EchoImplBase {

		@Override
		public void say(String request, StreamObserver<String> response) {
			throw new IllegalStateException("broken");
		}

	}

	/** A listener that keeps the latest denial. */
	static final class Denials implements RateLimitListener {

		final AtomicReference<Decision> latest = new AtomicReference<>();

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			if (!decision.allowed()) {
				this.latest.set(decision);
			}
		}

	}

	/** A handler of all exceptions. */
	static final class CatchAll implements GrpcExceptionHandler {

		@Override
		public @Nullable StatusException handleException(Throwable exception) {
			return io.grpc.Status.DATA_LOSS.asException();
		}

	}

	/** Advice about denials. */
	@GrpcAdvice
	public static final class Advice {

		@org.springframework.grpc.server.advice.GrpcExceptionHandler
		public io.grpc.Status denied(RateLimitExceededException denial) {
			return io.grpc.Status.ABORTED;
		}

	}

	/** Advice about all exceptions. */
	@GrpcAdvice
	public static final class GeneralAdvice {

		@org.springframework.grpc.server.advice.GrpcExceptionHandler
		public io.grpc.Status failed(RuntimeException failure) {
			return io.grpc.Status.DATA_LOSS;
		}

	}

}
