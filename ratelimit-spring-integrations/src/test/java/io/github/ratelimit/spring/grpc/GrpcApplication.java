package io.github.ratelimit.spring.grpc;

import java.util.function.Consumer;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.AbstractComparableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Configuration;

/** An application with a server of gRPC on the loopback address. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class GrpcApplication {

	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withUserConfiguration(GrpcApplication.class)
			.withPropertyValues("ratelimit.store=memory", "spring.grpc.server.address=127.0.0.1",
					"spring.grpc.server.port=0", "spring.grpc.server.shutdown.grace-period=0",
					"ratelimit.policies.calls.limits=2/1h");
	}

	/** Calls the application by a client. */
	static ContextConsumer<AssertableApplicationContext> calling(Consumer<EchoClient> calls) {
		return (context) -> {
			try (EchoClient client = EchoClient.of(context)) {
				calls.accept(client);
			}
		};
	}

	static void assertDenied(ThrowingCallable call) {
		assertThatCodeOf(call).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	static AbstractComparableAssert<?, Status.Code> assertThatCodeOf(ThrowingCallable call) {
		return Assertions.assertThat(failure(call).getStatus().getCode());
	}

	static StatusRuntimeException failure(ThrowingCallable call) {
		return Assertions.catchThrowableOfType(StatusRuntimeException.class, call);
	}

	/** A service without limits of its own. */
	static class Echo extends EchoGrpc.EchoImplBase {

	}

}
