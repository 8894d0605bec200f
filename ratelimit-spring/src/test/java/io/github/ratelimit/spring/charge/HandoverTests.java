package io.github.ratelimit.spring.charge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

/**
 * Tests of the way of a reservation to another thread.
 */
class HandoverTests {

	/** The tasks of the other thread. */
	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final Reservation reservation = new RateLimiter(
			new Policies(List
				.of(new Policy("one", List.of(Limit.parse("1/1h", Algorithm.TOKEN_BUCKET)), List.of(Policy.EVERYONE)))),
			new MemoryRateLimitStore(10), List.of())
		.reserve(List.of(Charge.of("one", "k")));

	private final List<Reservation> refunded = new ArrayList<>();

	private final List<Reservation> arrived = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	@Test
	void leavesAReservationThatHasArrivedToItsSubscriber() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		Disposable call = whenDecided(pending, this.tasks::add);
		pending.complete(this.reservation);
		assertThat(this.arrived).isEmpty();
		runTasks();
		call.dispose();
		assertThat(this.arrived).containsExactly(this.reservation);
		assertThat(this.refunded).isEmpty();
	}

	@Test
	void cancelsADecisionThatIsPending() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		whenDecided(pending, this.tasks::add).dispose();
		assertThat(pending).isCancelled();
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void refundsADecisionWhoseSubscriberCancelsOnTheWay() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		Disposable call = whenDecided(pending, this.tasks::add);
		pending.complete(this.reservation);
		call.dispose();
		runTasks();
		assertThat(this.refunded).containsExactly(this.reservation);
		assertThat(this.arrived).isEmpty();
	}

	@Test
	void emitsAFailureOnTheOtherThreadToo() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		whenDecided(pending, this.tasks::add);
		pending.completeExceptionally(new CancellationException("closed"));
		assertThat(this.failures).isEmpty();
		runTasks();
		assertThat(this.failures).singleElement().asInstanceOf(THROWABLE).hasMessage("closed");
	}

	@Test
	void emitsAFailureAsTheStoreThrewIt() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		whenDecided(pending.thenApply(Function.identity()), Runnable::run);
		pending.completeExceptionally(new IllegalStateException("failed"));
		assertThat(this.failures).singleElement()
			.asInstanceOf(THROWABLE)
			.isExactlyInstanceOf(IllegalStateException.class);
	}

	@Test
	void emitsOnThisThreadWhenTheOtherHasEnded() {
		CompletableFuture<Reservation> pending = new CompletableFuture<>();
		whenDecided(pending, (task) -> {
			throw new RejectedExecutionException();
		});
		pending.complete(this.reservation);
		assertThat(this.arrived).containsExactly(this.reservation);
	}

	@Test
	void emitsAtOnceWhatIsDecidedAlready() {
		whenDecided(CompletableFuture.completedFuture(this.reservation), this.tasks::add);
		assertThat(this.arrived).containsExactly(this.reservation);
	}

	private Disposable whenDecided(CompletableFuture<Reservation> pending, Executor thread) {
		return Handover.whenDecided(pending, () -> thread, this.refunded::add)
			.subscribe(this.arrived::add, this.failures::add);
	}

	private void runTasks() {
		this.tasks.forEach(Runnable::run);
	}

}
