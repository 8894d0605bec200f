package io.github.ratelimit.store;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.RandomCalls.Call;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract for decisions of every store: for each algorithm the same as its
 * definition.
 */
public abstract class DecisionContract {

	/** A time long past, to reveal anything that a store adds to the clock. */
	final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	/** A new policy for each test, as many tests may share a store. */
	final String policy = "contract-" + System.nanoTime();

	RateLimitStore store;

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
	@MethodSource
	void decidesAsDefined(Algorithm algorithm, String rate) {
		Limit limit = Limit.of(algorithm, Rate.parse(rate));
		assertDefined(limit, 300, (from) -> step(from, limit.rate().periodMicros()));
	}

	static Stream<Arguments> decidesAsDefined() {
		return everyAlgorithmAt("10/1s", "7/1s", "300000/1s", "1/30d", "13/17ms", "6131/1d");
	}

	static Stream<Arguments> everyAlgorithmAt(String... rates) {
		return Stream.of(rates)
			.flatMap((rate) -> Stream.of(Algorithm.values()).map((algorithm) -> Arguments.of(algorithm, rate)));
	}

	@ParameterizedTest
	@MethodSource
	void decidesAsDefinedByTheCalendar(String text) {
		Limit limit = Limit.parse(text, Algorithm.FIXED_WINDOW);
		assertDefined(limit, 300, (from) -> step(from, limit.rate().periodMicros()));
	}

	static Stream<String> decidesAsDefinedByTheCalendar() {
		return Stream.of("10/1m align minute", "7/1d align day zone Asia/Tokyo",
				"99/30d align month zone Europe/Berlin", "20/7d align week zone America/New_York",
				"5/1h align hour zone Asia/Kolkata");
	}

	@ParameterizedTest
	@EnumSource
	void decidesAsDefinedWhenFullOfSmallCharges(Algorithm algorithm) {
		assertDefined(Limit.of(algorithm, Rate.parse("100/1s")), 1000,
				(random) -> (random.nextInt(200) == 0) ? -random.nextLong(500_000) : random.nextLong(16_000));
	}

	@ParameterizedTest
	@EnumSource
	void decidesInShadowAsDefinedWhateverItIsBeside(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		Limit tried = Limit.of(algorithm, Rate.parse("4/1s"));
		long seed = Long.getLong("test.seed", System.nanoTime());
		Random random = new Random(seed);
		Definition definition = Definition.of(tried);
		RandomCalls calls = new RandomCalls(random, this.policy, "a");
		for (int index = 0; index < 300; index++) {
			long now = this.clock.addAndGet(random.nextLong(200_000));
			PermitRequest enforced = calls.acquire(limit).permit();
			PermitRequest shadow = calls.inShadow(tried);
			Decision decision = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, List.of(enforced, shadow)));
			StoreOperation expected = decision.allowed() ? StoreOperation.ACQUIRE : StoreOperation.PEEK;
			assertThat(decision.limits()).hasSize(1);
			assertThat(decision.shadows()).as("seed %d, call %d: %s next to %s", seed, index, shadow, enforced)
				.containsExactly(definition.execute(expected, shadow, now, decision.waitMicros()));
		}
	}

	private void assertDefined(Limit limit, int calls, ToLongFunction<Random> step) {
		long seed = Long.getLong("test.seed", System.nanoTime());
		Random random = new Random(seed);
		Definition definition = Definition.of(limit);
		RandomCalls randomCalls = new RandomCalls(random, this.policy, "a");
		for (int index = 0; index < calls; index++) {
			long now = this.clock.addAndGet(step.applyAsLong(random));
			Call call = randomCalls.next(limit);
			LimitDecision expected = definition.execute(call.operation(), call.permit(), now);
			assertThat(this.store.execute(new StoreRequest(call.operation(), List.of(call.permit()))).limits())
				.as("seed %d, call %d: %s at %d", seed, index, call, now)
				.containsExactly(expected);
			randomCalls.done(call, expected, now);
		}
	}

	/** Returns mostly small steps on, sometimes a long one, sometimes one back. */
	private static long step(Random random, long period) {
		return switch (random.nextInt(20)) {
			case 0 -> random.nextLong(2 * period + 1);
			case 1 -> -random.nextLong(2 * period + 1);
			default -> random.nextLong(period / 10 + 2);
		};
	}

	final LimitDecision acquire(Limit limit, String key, long cost) {
		return this.store
			.execute(
					new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of(this.policy, List.of(limit), key, cost)))
			.limits()
			.get(0);
	}

	/**
	 * Spends permits even if they are more than the burst, and returns the last decision.
	 */
	final LimitDecision spend(Limit limit, String key, long permits) {
		LimitDecision decision = acquire(limit, key, Math.min(permits, limit.burst()));
		return (permits <= limit.burst()) ? decision
				: this.store
					.execute(new StoreRequest(StoreOperation.CHARGE,
							PermitRequests.of(this.policy, List.of(limit), key, permits - limit.burst())))
					.limits()
					.get(0);
	}

}
