package io.github.ratelimit.spring.redis.roundtrip;

import java.util.stream.IntStream;

import io.github.ratelimit.spring.redis.RawReply;
import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many threads that send requests, and some that reply. */
class CrossKeyBatcherLoadTests {

	private static final StoreRequest REQUEST = StoreRequest.of(StoreOperation.ACQUIRE,
			new PermitRequest(CoalescerTests.LIMITED, "alice", 1, 0));

	private final ScriptCodec codec = new ScriptCodec("test", ServerClock.like(System::currentTimeMillis));

	private final RequestLoad load = new RequestLoad(false, CrossKeyBatcherLoadTests::reply);

	@Test
	void decidesEachRequestOnceUnderLoad() throws InterruptedException {
		CrossKeyBatcher batcher = batcher(CrossKeyBatcher.MOST_RUNS);
		this.load.run(4 * CrossKeyBatcher.LARGEST_BATCH, 500, () -> send(batcher));
		assertThat(this.load.requestsPerRun()).allMatch((size) -> size <= CrossKeyBatcher.LARGEST_BATCH)
			.anyMatch((size) -> size > 1);
	}

	/** Two requests at a time, so that a lost one is not found by a later one. */
	@Test
	void losesNoRequest() throws InterruptedException {
		CrossKeyBatcher batcher = batcher(1);
		Runnable together = RequestLoad.together(2);
		this.load.run(2, 20_000, () -> {
			together.run();
			send(batcher);
		});
	}

	private CrossKeyBatcher batcher(int mostRuns) {
		return new CrossKeyBatcher(this.load, mostRuns, mostRuns);
	}

	private void send(CrossKeyBatcher batcher) {
		batcher.run(this.codec.encode(REQUEST), new RawReply()).join();
	}

	private static Reply reply(int requests) {
		Reply reply = Reply.admitted(1);
		IntStream.range(0, requests).forEach((request) -> reply.remaining(0));
		return reply;
	}

}
