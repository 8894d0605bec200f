package io.github.ratelimit.spring.redis.driver;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of a run on Lettuce. */
class PendingLettuceRunTests {

	private static final ScriptCodec CODEC = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis));

	@Test
	void failsIfItIsRepliedToWithNothing() {
		PendingLettuceRun<byte[]> run = new PendingLettuceRun<>(CODEC.encode(new StoreRequest(StoreOperation.PEEK,
				PermitRequests.of("quotes", List.of(Limit.parse("9/1h")), "alice", 1))), new RawReply());
		run.accept(null, null);
		assertThat(run).isCompletedExceptionally();
		assertThat(run.isEnded()).isTrue();
	}

}
