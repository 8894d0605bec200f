package io.github.ratelimit.spring.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

import static io.github.ratelimit.spring.grpc.GrpcApplication.calling;
import static io.github.ratelimit.spring.grpc.GrpcApplication.failure;
import static org.assertj.core.api.Assertions.assertThat;

/** The code that the documentation shows. */
class GrpcPageTests {

	@Test
	void limitsAMethodAndTellsTheClientWhenToRetry() {
		GrpcApplication.runner()
			.withBean(EchoService.class)
			.run(calling((client) -> assertThat(seconds(deny(client))).isBetween(10L, 12L)));
	}

	@Test
	void sendsAnotherStatus() {
		GrpcApplication.runner()
			.withBean(EchoService.class)
			.withBean(DenialAdvice.class)
			.run(calling((client) -> assertThat(deny(client).getStatus().getDescription()).isEqualTo("Slow down")));
	}

	private static StatusRuntimeException deny(EchoClient client) {
		for (int i = 0; i < 5; i++) {
			assertThat(client.say("one")).isEqualTo("one");
		}
		return failure(() -> client.say("one"));
	}

	private static long seconds(StatusRuntimeException denial) {
		try {
			return RetryDelays.retryDelay(denial).getSeconds();
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError(ex);
		}
	}

}
