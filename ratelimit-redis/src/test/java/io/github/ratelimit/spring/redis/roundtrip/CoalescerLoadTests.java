package io.github.ratelimit.spring.redis.roundtrip;

import io.github.ratelimit.spring.redis.Reply;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.Coalescer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many threads that send requests for one key, and some that reply. */
class CoalescerLoadTests {

	private static final StoreRequest REQUEST = StoreRequest.of(StoreOperation.ACQUIRE,
			new PermitRequest(CoalescerTests.LIMITED, "alice", 1, 0));

	/** In a cluster, without batches of different requests. */
	private final RequestLoad load = new RequestLoad(true, (requests) -> Reply.admitted(requests).remaining(0));

	private final Coalescer<byte[]> coalescer = CoalescerTests.coalescer(this.load);

	@Test
	void decidesEachRequestOnceUnderLoad() throws InterruptedException {
		this.load.run(128, 500, this::send);
		assertThat(this.load.requestsPerRun()).anyMatch((size) -> size > 1);
	}

	/** A few requests at a time, so that a lost one is not found by a later one. */
	@Test
	void losesNoRequest() throws InterruptedException {
		Runnable together = RequestLoad.together(5);
		this.load.run(5, 10_000, () -> {
			together.run();
			send();
		});
	}

	private void send() {
		assertThat(this.coalescer.acquire(REQUEST, true).join().allowed()).isTrue();
	}

}
