package io.github.ratelimit.spring.redis;

import java.util.List;

import io.github.ratelimit.store.Operation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitingCallTests {

	private final ToldRedis redis = new ToldRedis(false);

	/** So that nobody waits for ever. */
	@Test
	void failsWhereTheReplyToARunOfItsOwnCannotBeRead() {
		ScriptCall words = new ScriptCalls("test", null).of(Operation.PEEK, List.of());
		WaitingCall<Long> call = new WaitingCall<>(words, new Unreadable(), 0);
		call.runBy(this.redis);
		assertThat(call).isNotDone();
		this.redis.answer(1);
		assertThat(call).isCompletedExceptionally();
	}

	private static final class Unreadable implements ReplyReader<Long> {

		@Override
		public Long read(byte[] reply) {
			throw new IllegalStateException("not to be read");
		}

		@Override
		public RuntimeException failed(Throwable failure) {
			return Failures.of(failure);
		}

	}

}
