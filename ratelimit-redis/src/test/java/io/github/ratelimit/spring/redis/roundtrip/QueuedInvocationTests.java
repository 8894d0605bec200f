package io.github.ratelimit.spring.redis.roundtrip;

import java.util.List;

import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.ScriptedRedis;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueuedInvocationTests {

	private final ScriptedRedis redis = new ScriptedRedis(false);

	/** Otherwise its result would be awaited forever. */
	@Test
	void failsIfTheReplyCannotBeRead() {
		ScriptInvocation invocation = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis))
			.encode(new StoreRequest(StoreOperation.PEEK, List.of()));
		QueuedInvocation<Long> queued = new QueuedInvocation<>(invocation, new Unreadable());
		queued.start(this.redis);
		assertThat(queued).isNotDone();
		this.redis.reply(Reply.admitted(1));
		assertThat(queued).isCompletedExceptionally();
	}

	private static final class Unreadable implements ReplyHandler<byte[], Long> {

		@Override
		public Long onReply(byte[] reply) {
			throw new IllegalStateException("not to be read");
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			return RedisFailures.of(failure);
		}

	}

}
