package io.github.ratelimit.concurrency;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the tries of a call that waits behind another, without a thread.
 */
class AsyncTriesTests implements WaitingCalls {

	private final PermitRequest permit = new PermitRequest(
			new PolicyLimit("slots", "slots", 0, Limit.parse("1 concurrent", Algorithm.TOKEN_BUCKET), 0), "a", 1,
			1_000_000);

	private final PermitQueues queues = new PermitQueues();

	private final QueuedCall other = new QueuedCall(this.queues.nextArrival(), false, this);

	private final CompletableFuture<Void> caller = new CompletableFuture<>();

	private final CompletableFuture<Decision> decision = new CompletableFuture<>();

	private Runnable onEnter = () -> {
	};

	private int waiting;

	@BeforeEach
	void enterAnotherCall() {
		this.queues.tryEnter(this.other, this.permit);
	}

	@Test
	void leavesIfItIsCancelledJustBeforeItsPause() {
		this.onEnter = () -> this.caller.cancel(false);
		assertThat(acquire()).isCompletedExceptionally();
		assertThat(this.waiting).isZero();
	}

	@Test
	void leavesIfTheResultOfATryCannotBeRead() {
		CompletableFuture<Decision> last = acquire();
		this.queues.leave(this.other, true);
		this.decision.complete(null);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(last::join)
			.withCauseInstanceOf(NullPointerException.class);
		assertThat(this.waiting).isZero();
		assertThat(this.queues.isEmpty()).isTrue();
	}

	private CompletableFuture<Decision> acquire() {
		PermitWait wait = new PermitWait(this.queues, List.of(this.permit), this, false);
		return new AsyncAttempts<>(wait, (operation, waited) -> this.decision, Function.identity())
			.acquire(this.caller);
	}

	@Override
	public boolean tryEnter(String policy, boolean onThread) {
		this.onEnter.run();
		this.waiting++;
		return true;
	}

	@Override
	public void leave(String policy, boolean onThread) {
		this.waiting--;
	}

	/** Ends pauses that end at once, and no other. */
	@Override
	public void endAfter(CompletableFuture<Void> pause, long micros) {
		if (micros == 1) {
			pause.complete(null);
		}
	}

	@Override
	public long nanoTime() {
		return 0;
	}

}
