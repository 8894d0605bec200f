package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract for calls with several limits, of which one makes them wait: all limits
 * count them when they proceed.
 */
public abstract class TurnsContract {

	private static final long SECOND = 1_000_000;

	private static final long MAX_WAIT = 20 * SECOND;

	private static final List<String> LIMITS = List.of("3/10s fixed-window", "5/7s fixed-window",
			"4/10s sliding-window-log", "6/13s sliding-window-log", "2/3s sliding-window-counter", "1/4s leaky-bucket",
			"6/1m align minute");

	private static final int CALLS = Integer.getInteger("test.turns.calls", 1500);

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	/** A new policy for each test, as many tests may share a store. */
	private final String policy = "turns-" + System.nanoTime();

	private RateLimitStore store;

	@BeforeEach
	void createStore() {
		this.store = store(this.clock::get);
	}

	/**
	 * Returns the store under test.
	 * @param clock the store's time, in microseconds since 1970
	 * @return a store, which may have counts of other policies
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER" })
	void admitsNoMoreBehindAnotherLimit(Algorithm algorithm) {
		PermitRequest log = permit("log", "3/10s " + algorithm.id(), "all", 1, MAX_WAIT);
		times(3, () -> execute(StoreOperation.ACQUIRE, gate("x")));
		this.clock.addAndGet(SECOND);
		times(3, () -> assertThat(execute(StoreOperation.ACQUIRE, gate("x"), log).waitMicros()).isEqualTo(9 * SECOND));
		this.clock.addAndGet(10 * SECOND);
		times(3, () -> assertThat(execute(StoreOperation.ACQUIRE, gate("y"), log).waitMicros())
			.isGreaterThanOrEqualTo(3 * SECOND));
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER" })
	void refundsWhatCountsAtALaterTurn(Algorithm algorithm) {
		PermitRequest log = permit("log", "3/10s " + algorithm.id(), "all", 3, MAX_WAIT);
		times(3, () -> execute(StoreOperation.ACQUIRE, gate("x")));
		this.clock.addAndGet(SECOND);
		Decision waiting = execute(StoreOperation.ACQUIRE, gate("x"), log);
		this.clock.addAndGet(10 * SECOND);
		execute(StoreOperation.REFUND, log.refund(3, waiting.storeTimeMicros(1), waiting.turnMicros(1)));
		assertThat(execute(StoreOperation.PEEK, log).limits().get(0).remaining()).isEqualTo(3);
	}

	@Test
	void takesNoTurnFromALimitInShadow() {
		PermitRequest log = permit("log", "3/10s sliding-window-log", "all", 1, MAX_WAIT);
		times(3, () -> execute(StoreOperation.ACQUIRE, gate("x")));
		Decision decision = execute(StoreOperation.ACQUIRE, inShadow(gate("x")), log);
		assertThat(decision.waitMicros()).isZero();
		assertThat(execute(StoreOperation.PEEK, log).limits().get(0).remaining()).isEqualTo(2);
	}

	/**
	 * Whatever other limits make calls wait, a log admits no more in any period.
	 */
	@Test
	void noLogOrWindowSeesMoreAtTheTimesWhenCallsProceed() {
		Random random = new Random(42);
		List<List<Long>> proceeded = IntStream.range(0, LIMITS.size() * 2)
			.mapToObj((count) -> (List<Long>) new ArrayList<Long>())
			.toList();
		for (int call = 0; call < CALLS; call++) {
			this.clock.addAndGet(random.nextLong(3 * SECOND));
			call(random, proceeded);
		}
		for (int count = 0; count < proceeded.size(); count++) {
			String limit = LIMITS.get(count / 2);
			proceeded.get(count).sort(null);
			assertThat(proceeded.get(count)).hasSizeGreaterThan(20);
			if (limit.contains("log") || limit.contains("fixed") || limit.contains("align")) {
				assertWithin(limit, proceeded.get(count));
			}
		}
	}

	private void call(Random random, List<List<Long>> proceeded) {
		List<Integer> counts = random.ints(0, proceeded.size())
			.distinct()
			.limit(2 + random.nextInt(2))
			.boxed()
			.toList();
		long maxWait = random.nextLong(MAX_WAIT);
		Decision decision = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE,
				counts.stream().map((count) -> permit(count, maxWait)).toList()));
		if (decision.allowed()) {
			counts.forEach((count) -> proceeded.get(count).add(this.clock.get() + decision.waitMicros()));
		}
	}

	/** Windows begin with the first call that proceeds, or with the minute. */
	private static void assertWithin(String text, List<Long> times) {
		Limit limit = limit(text);
		long period = limit.periodMicros();
		long begin = 0;
		int first = 0;
		for (int last = 0; last < times.size(); last++) {
			long time = times.get(last);
			if (text.contains("log")) {
				while (times.get(first) <= time - period) {
					first++;
				}
			}
			else if (time >= begin + period) {
				begin = text.contains("align") ? time / period * period : time;
				first = last;
			}
			assertThat(last - first + 1L).as("%s until %d", text, time).isLessThanOrEqualTo(limit.burst());
		}
	}

	private PermitRequest permit(int count, long maxWait) {
		return permit("of-" + count / 2, LIMITS.get(count / 2), "key-" + count % 2, 1, maxWait);
	}

	private PermitRequest gate(String key) {
		return permit("gate", "3/10s fixed-window", key, 1, MAX_WAIT);
	}

	private PermitRequest permit(String name, String limit, String key, long cost, long maxWait) {
		PermitRequest permit = PermitRequests.of(this.policy + name, List.of(limit(limit)), key, cost).get(0);
		return new PermitRequest(permit.policyLimit(), key, cost, maxWait);
	}

	private static PermitRequest inShadow(PermitRequest permit) {
		PolicyLimit limit = permit.policyLimit();
		return new PermitRequest(
				new PolicyLimit(limit.policy(), limit.counter(), limit.position(), limit.limit(), 0, 0, true, false),
				permit.key(), permit.cost(), permit.maxWaitMicros());
	}

	private static Limit limit(String text) {
		return Limit.parse(text, text.contains("align") ? Algorithm.FIXED_WINDOW : Algorithm.TOKEN_BUCKET);
	}

	private Decision execute(StoreOperation operation, PermitRequest... permits) {
		return this.store.execute(new StoreRequest(operation, List.of(permits)));
	}

	private static void times(int count, Runnable call) {
		IntStream.range(0, count).forEach((index) -> call.run());
	}

}
