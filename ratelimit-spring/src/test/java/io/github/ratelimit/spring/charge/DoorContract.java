package io.github.ratelimit.spring.charge;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.CountsElsewhere;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every door by which calls enter the gate: whatever ends a call, and
 * whenever, it leaves no permit held, and what is charged equals what was admitted and
 * not refunded. {@code -Dtest.doors} is the number of calls of each door and store. A
 * subclass that {@linkplain CountsElsewhere counts elsewhere} runs on that store.
 */
public abstract class DoorContract {

	/** Holds a permit while a call runs. */
	public static final String HELD = "held";

	/** Counts the calls. */
	public static final String SPENT = "spent";

	private static final int CALLS = Integer.getInteger("test.doors", 200);

	private static final int ROOM = 100_000;

	/** The longest time between the decision on a call and its end by the test. */
	private static final int LATEST_MICROS = 60;

	/** The shortest such time that covers the round trip to a store elsewhere. */
	private static final int ROUND_TRIP_MICROS = 1_000;

	/** One call in so many is cancelled at work. */
	private static final int RARELY = 16;

	/** Reactor loses at most one cancel of so many. */
	private static final int RARELY_LOST = 1_000;

	/** The time in which permits and refunds of ended calls arrive at a store. */
	private static final Duration SETTLED = Duration.ofSeconds(5);

	private final Random random = new Random(CALLS);

	private final ExecutorService ends = Executors.newSingleThreadExecutor();

	private final ExecutorService decisions = Executors.newSingleThreadExecutor();

	private final AtomicLong made = new AtomicLong();

	/** The calls at work that only a cancel ends. */
	private final AtomicLong running = new AtomicLong();

	private final AtomicBoolean deciding = new AtomicBoolean();

	private final Account account = new Account();

	protected final Policies policies = new Policies(
			List.of(policy(HELD, ROOM + " concurrent"), policy(SPENT, ROOM + "/1d")));

	/** The ways in which a store decides. */
	public enum Deciding {

		/** On the thread of the call. */
		AT_ONCE,

		/** On a thread of the store, within microseconds. */
		LATER

	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.FIXED_WINDOW)), List.of(Policy.EVERYONE));
	}

	/**
	 * Opens the door.
	 * @param limiter decides on charges of both policies
	 * @param work what an admitted call does
	 * @return makes a new call at each subscription
	 */
	protected abstract Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work);

	private RateLimitStore store(Deciding deciding) {
		if (this instanceof CountsElsewhere door) {
			return door.elsewhere();
		}
		return (deciding == Deciding.AT_ONCE) ? new MemoryRateLimitStore(10)
				: new TestStore().decideOn((decision) -> this.decisions.execute(() -> {
					this.deciding.set(true);
					pause(this.random.nextInt(LATEST_MICROS / 2));
					decision.run();
				}));
	}

	/** Returns whether the test knows when a store begins to decide. */
	protected boolean isKnown(Deciding deciding) {
		return deciding == Deciding.LATER && !(this instanceof CountsElsewhere);
	}

	/** Returns whether an admitted call always does its work. */
	protected boolean worksOnceAdmitted() {
		return true;
	}

	/** Returns whether the cancel of a call reaches its work. */
	protected boolean cancelsWork() {
		return true;
	}

	/**
	 * Returns whether the permit of a call whose cancel Reactor has lost is held for as
	 * long as it goes on.
	 */
	protected boolean holdsWhatGoesOn() {
		return true;
	}

	/**
	 * Returns the longest time between the call, or its decision if that is known, and
	 * its end by the test.
	 */
	protected int latestMicros() {
		return LATEST_MICROS;
	}

	private int latestEnd() {
		return (this instanceof CountsElsewhere) ? Math.max(latestMicros(), ROUND_TRIP_MICROS) : latestMicros();
	}

	/** Ignores the failures of calls that were cancelled. */
	@BeforeEach
	void ignoreDroppedErrors() {
		Hooks.onErrorDropped((failure) -> {
		});
	}

	@AfterEach
	void stop() {
		Hooks.resetOnErrorDropped();
		this.ends.shutdownNow();
		this.decisions.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource
	void holdsNothingOfCallsThatEndAtAnyMoment(Deciding deciding) throws Exception {
		try (RateLimiter limiter = new RateLimiter(this.policies, store(deciding), List.of(this.account))) {
			Publisher<?> door = open(limiter, this::work);
			for (int call = 0; call < CALLS; call++) {
				end(door, isKnown(deciding) && this.random.nextInt(8) > 0);
			}
			drain(this.decisions);
			Counts counts = settled(limiter);
			assertThat(counts.held()).as("permits held").isBetween(leastHeld(counts), counts.uncancelled());
			assertThat(counts.uncancelled()).as("calls that go on").isLessThanOrEqualTo(1 + CALLS / RARELY_LOST);
			assertThat(counts.charged()).as("charged").isEqualTo(counts.admitted());
			if (worksOnceAdmitted()) {
				assertThat(counts.charged()).as("charged").isEqualTo(counts.made());
			}
			assertThat(counts.made()).isPositive();
		}
	}

	/**
	 * Makes a call, and cancels it from another thread, unless it has ended before. Some
	 * are cancelled at work, however long a decision takes.
	 * @param onceDeciding whether it is cancelled after the store began to decide
	 */
	private void end(Publisher<?> door, boolean onceDeciding) throws Exception {
		this.deciding.set(!onceDeciding);
		Call call = new Call();
		int delay = this.random.nextInt(latestEnd());
		long before = (this.random.nextInt(RARELY) == 0) ? this.made.get() : -1;
		Future<?> end = this.ends.submit(() -> {
			await(() -> call.isSubscribed() && this.deciding.get());
			await(() -> this.made.get() > before || call.isDisposed());
			pause(delay);
			call.cancel();
		});
		door.subscribe(call);
		end.get(30, TimeUnit.SECONDS);
	}

	private static void await(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			Thread.onSpinWait();
		}
	}

	private Mono<String> work() {
		this.made.incrementAndGet();
		return switch (this.random.nextInt(4)) {
			case 0 -> Mono.just("result");
			case 1 -> Mono.error(new IllegalStateException("failed"));
			case 2 -> Mono.error(new CancellationException("cancelled"));
			default -> Mono.<String>never()
				.doOnSubscribe((subscription) -> this.running.incrementAndGet())
				.doOnCancel(this.running::decrementAndGet);
		};
	}

	/**
	 * Returns the number of calls that go on, as Reactor has lost their cancel. Operators
	 * such as {@code flatMap} and {@code switchIfEmpty} lose one that comes while they
	 * subscribe to another publisher.
	 */
	private long uncancelled() {
		return cancelsWork() ? this.running.get() : 0;
	}

	/** Waits until a thread has done what it had to do, however busy the machine is. */
	private static void drain(ExecutorService thread) throws Exception {
		thread.submit(() -> {
		}).get(30, TimeUnit.SECONDS);
	}

	/**
	 * Returns counts that agree, or those at the end of the time for it. A server may
	 * begin to serve the last call when the test has long given it up.
	 */
	private Counts settled(RateLimiter limiter) throws InterruptedException {
		long end = System.nanoTime() + SETTLED.toNanos();
		Counts counts = counts(limiter);
		while (!agree(counts) && System.nanoTime() < end) {
			TimeUnit.MILLISECONDS.sleep(5);
			counts = counts(limiter);
		}
		return counts;
	}

	private boolean agree(Counts counts) {
		return counts.held() >= leastHeld(counts) && counts.held() <= counts.uncancelled()
				&& counts.charged() == counts.admitted() && (!worksOnceAdmitted() || counts.charged() == counts.made());
	}

	private long leastHeld(Counts counts) {
		return holdsWhatGoesOn() ? counts.uncancelled() : 0;
	}

	private Counts counts(RateLimiter limiter) {
		return new Counts(charged(limiter, HELD), uncancelled(), charged(limiter, SPENT), this.account.spent.get(),
				this.made.get());
	}

	private static long charged(RateLimiter limiter, String policy) {
		return ROOM - limiter.peek(List.of(Charge.of(policy, Policy.EVERYONE))).limits().get(0).remaining();
	}

	private static void pause(int micros) {
		long end = System.nanoTime() + micros * 1_000L;
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Counts of one moment.
	 *
	 * @param held the permits held
	 * @param uncancelled the calls that go on
	 * @param charged what the store has charged
	 * @param admitted the sum of what was admitted and not refunded
	 * @param made the calls that came to their work
	 */
	private record Counts(long held, long uncancelled, long charged, long admitted, long made) {
	}

	/** The sum of what was admitted and not refunded. */
	private static final class Account implements RateLimitListener {

		private final AtomicLong spent = new AtomicLong();

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			if (decision.allowed()) {
				charges.forEach((charge) -> add(charge, charge.cost()));
			}
		}

		@Override
		public void adjusted(Charge charge, long difference) {
			add(charge, difference);
		}

		private void add(Charge charge, long permits) {
			if (charge.policy().equals(SPENT)) {
				this.spent.addAndGet(permits);
			}
		}

	}

	/** The subscriber of one call, which another thread cancels. */
	private static final class Call extends BaseSubscriber<Object> {

		private volatile boolean subscribed;

		boolean isSubscribed() {
			return this.subscribed;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			this.subscribed = true;
			requestUnbounded();
		}

		@Override
		protected void hookOnError(Throwable failure) {
		}

	}

}
