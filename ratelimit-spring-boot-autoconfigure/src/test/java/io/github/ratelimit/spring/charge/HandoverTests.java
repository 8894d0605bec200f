package io.github.ratelimit.spring.charge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

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
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

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

	@Test
	void refundsAReservationWhoseSubscriberCancelsOnTheWay() {
		Disposable call = handOver();
		call.dispose();
		runTasks();
		assertThat(this.refunded).containsExactly(this.reservation);
		assertThat(this.arrived).isEmpty();
	}

	@Test
	void leavesAReservationThatHasArrivedToItsSubscriber() {
		Disposable call = handOver();
		assertThat(this.arrived).isEmpty();
		runTasks();
		call.dispose();
		assertThat(this.arrived).containsExactly(this.reservation);
		assertThat(this.refunded).isEmpty();
	}

	private void runTasks() {
		this.tasks.forEach(Runnable::run);
	}

	private Disposable handOver() {
		return Handover.to(Schedulers.fromExecutor(this.tasks::add), this.reservation, this.refunded::add)
			.subscribe(this.arrived::add);
	}

}
