package io.github.ratelimit.concurrency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one call for permits that other calls hold. If limits on concurrency alone
 * deny the call, it enters a queue, and tries again as the first of it. If others wait
 * for its permits already, it enters the queue before its first try.
 */
public final class PermitWait {

	private final PermitQueues queues;

	private final List<PermitRequest> permits;

	private final WaitingCalls waiting;

	private final QueuedCall call;

	private final long start;

	/** The longest wait for the permits that the call lacks, in microseconds. */
	private volatile long longest;

	/** The permit that the call waits for; {@code null} before and after its wait. */
	private volatile @Nullable PermitRequest awaited;

	/** The time from the start to the last try, in microseconds. */
	private volatile long waited;

	/** The flag for permits that the last try may have left. */
	private volatile boolean hasRoom;

	/**
	 * Creates the wait of a call that has just arrived.
	 * @param queues the queues of this instance
	 * @param permits the permits that the call would hold, each with its longest wait
	 * @param waiting the calls that wait
	 * @param onThread whether the call blocks its thread
	 */
	public PermitWait(PermitQueues queues, List<PermitRequest> permits, WaitingCalls waiting, boolean onThread) {
		this.queues = queues;
		this.permits = permits;
		this.waiting = waiting;
		this.call = new QueuedCall(queues.nextArrival(), onThread, waiting);
		this.start = waiting.nanoTime();
	}

	/**
	 * Returns how long the call had waited when it last tried.
	 * @return microseconds; 0 if it has not waited
	 */
	public long waitedMicros() {
		return this.waited;
	}

	long releases() {
		return this.queues.releases();
	}

	/** Returns a permit that other calls wait for, if any. */
	@Nullable PermitRequest contested() {
		return this.queues.contested(this.permits);
	}

	/** Enters the queue for a permit before the first try. */
	boolean tryQueueFor(PermitRequest permit) {
		boolean entered = tryEnter(permit, permit.maxWaitMicros());
		if (entered && this.queues.isFirst(this.call)) {
			this.call.noteRelease(); // as the others have left meanwhile
		}
		return entered;
	}

	/** Starts a pause, which ends before the next try or when the time is over. */
	CompletableFuture<Void> startPause() {
		CompletableFuture<Void> pause = this.call.startPause(Math.max(1, this.longest - sinceStart()));
		if (this.queues.isFirst(this.call)) {
			this.call.tryAsFirst();
		}
		if (this.queues.isClosed()) {
			this.call.stop();
		}
		return pause;
	}

	/** Ends the pause at once, as the call no longer waits. */
	void stop() {
		this.call.stop();
	}

	/**
	 * Starts the next try, and returns its operation: to acquire as the first of the
	 * queue, or to peek if the time is over. Returns {@code null} if the call waits on.
	 */
	@Nullable StoreOperation nextTry() {
		if (this.queues.isClosed()) {
			throw new CancelledWaitException("The rate limiter was closed while the call waited for permits");
		}
		boolean first = this.queues.isFirst(this.call);
		long sinceStart = sinceStart();
		if (!first && sinceStart < this.longest) {
			return null;
		}
		this.waited = sinceStart;
		this.hasRoom = first; // until the decision is known
		if (first) {
			this.call.startTry();
		}
		return first ? StoreOperation.ACQUIRE : StoreOperation.PEEK;
	}

	/** Notes what a try has left for the next call of the queue. */
	void tried(Decision decision) {
		PermitRequest permit = this.awaited;
		this.hasRoom = permit != null
				&& decision.limits().stream().anyMatch((limit) -> isOf(limit, permit) && limit.remaining() > 0);
	}

	/**
	 * Stays in its queue, or enters one, if limits on concurrency alone denied the call
	 * and its time is not over.
	 * @param releasesBefore the number of releases before the try
	 */
	boolean tryStay(Decision decision, long releasesBefore) {
		List<PermitRequest> lacking = lacking(decision);
		long longest = lacking.stream().mapToLong(PermitRequest::maxWaitMicros).min().orElse(0);
		if (sinceStart() >= longest) {
			return false;
		}
		this.call.denied(untilLeaseEnds(decision));
		PermitRequest before = this.awaited;
		if (before != null && lacking.contains(before)) {
			this.longest = longest;
			return true;
		}
		leave();
		boolean entered = tryEnter(lacking.get(0), longest);
		if (entered && releases() != releasesBefore) {
			this.call.noteRelease();
		}
		return entered;
	}

	/** Returns the permits that the call lacks, unless another limit denies it too. */
	private List<PermitRequest> lacking(Decision decision) {
		List<PermitRequest> lacking = new ArrayList<>();
		for (LimitDecision limit : decision.limits()) {
			List<PermitRequest> denied = limit.allowed() ? List.of()
					: this.permits.stream().filter((permit) -> isOf(limit, permit)).toList();
			if (!limit.allowed() && denied.isEmpty()) {
				return List.of();
			}
			lacking.addAll(denied);
		}
		return lacking;
	}

	private static boolean isOf(LimitDecision limit, PermitRequest permit) {
		return limit.isOf(permit.policy(), permit.key()) && limit.limit().equals(permit.limit());
	}

	private static long untilLeaseEnds(Decision decision) {
		return decision.limits().stream().mapToLong(LimitDecision::retryAfterMicros).max().orElse(0);
	}

	private boolean tryEnter(PermitRequest permit, long longest) {
		boolean onThread = this.call.isOnThread();
		if (longest == 0 || !this.waiting.tryEnter(permit.policy(), onThread)) {
			return false;
		}
		if (!this.queues.tryEnter(this.call, permit)) {
			this.waiting.leave(permit.policy(), onThread);
			return false;
		}
		this.longest = longest;
		this.awaited = permit;
		return true;
	}

	/** Leaves the queue, if the call is in one. */
	void leave() {
		PermitRequest permit = this.awaited;
		if (permit != null) {
			this.awaited = null;
			this.queues.leave(this.call, this.hasRoom);
			this.waiting.leave(permit.policy(), this.call.isOnThread());
		}
	}

	private long sinceStart() {
		return TimeUnit.NANOSECONDS.toMicros(this.waiting.nanoTime() - this.start);
	}

}
