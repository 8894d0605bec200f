package io.github.ratelimit.concurrency;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the queues of calls that wait for permits.
 */
class PermitQueuesTests {

	private final PermitQueues queues = new PermitQueues();

	private final WaitingCalls waiting = new Waiting();

	private final PermitRequest permit = permit("a");

	@Test
	void ordersCallsByTheirArrival() {
		List<QueuedCall> calls = IntStream.range(0, 3).mapToObj((call) -> call()).toList();
		for (int call : new int[] { 1, 2, 0 }) {
			assertThat(this.queues.tryEnter(calls.get(call), this.permit)).isTrue();
		}
		for (QueuedCall call : calls) {
			assertThat(calls.stream().filter(this.queues::isFirst)).containsExactly(call);
			this.queues.leave(call, false);
		}
	}

	@Test
	void removesAnEmptyQueue() {
		List<QueuedCall> calls = List.of(call(), call(), call());
		this.queues.tryEnter(calls.get(0), this.permit);
		this.queues.tryEnter(calls.get(1), this.permit);
		this.queues.tryEnter(calls.get(2), permit("b"));
		assertThat(this.queues.isEmpty()).isFalse();
		assertThat(this.queues.contested(List.of(permit("c"), permit("b")))).isEqualTo(permit("b"));
		calls.forEach((call) -> this.queues.leave(call, false));
		calls.forEach((call) -> this.queues.leave(call, false));
		assertThat(this.queues.isEmpty()).isTrue();
		assertThat(this.queues.contested(List.of(this.permit))).isNull();
	}

	@Test
	void takesNoMoreCallsOnceItIsClosed() {
		QueuedCall call = call();
		this.queues.tryEnter(call, this.permit);
		CompletableFuture<Void> pause = call.startPause(1000);
		this.queues.close();
		assertThat(pause).isCompleted();
		assertThat(this.queues.tryEnter(call(), this.permit)).isFalse();
		this.queues.leave(call, false);
		assertThat(this.queues.isEmpty()).isTrue();
	}

	/** Some rounds have both leave at the same time. */
	@Test
	void letsTheNextCallTryHoweverThoseBeforeItLeave() {
		for (int round = 0; round < 5_000; round++) {
			List<QueuedCall> calls = List.of(call(), call(), call());
			calls.forEach((call) -> this.queues.tryEnter(call, this.permit));
			CompletableFuture<Void> pause = calls.get(2).startPause(1000);
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> this.queues.leave(calls.get(1), true));
			this.queues.leave(calls.get(0), true);
			other.join();
			assertThat(pause).as("round %s", round).isCompleted();
			this.queues.leave(calls.get(2), false);
		}
	}

	private QueuedCall call() {
		return new QueuedCall(this.queues.nextArrival(), true, this.waiting);
	}

	private static PermitRequest permit(String key) {
		Limit limit = Limit.parse("1 concurrent", Algorithm.TOKEN_BUCKET);
		return new PermitRequest(new PolicyLimit("slots", "slots", 0, limit, 0), key, 1, 1000);
	}

	private static final class Waiting implements WaitingCalls {

		@Override
		public boolean tryEnter(String policy, boolean onThread) {
			return true;
		}

		@Override
		public void leave(String policy, boolean onThread) {
		}

		@Override
		public void endAfter(CompletableFuture<Void> pause, long micros) {
		}

		@Override
		public long nanoTime() {
			return 0;
		}

	}

}
