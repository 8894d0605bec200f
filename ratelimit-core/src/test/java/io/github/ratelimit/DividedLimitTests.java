package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of limits that are divided among instances during an outage, with all pairs of
 * limits, numbers of instances and what happens in the outage. The clock stands still.
 */
class DividedLimitTests {

	private static final List<Charge> CALL = List.of(Charge.of("row", "a"));

	private static final long NOW = 1_790_000_000_000_000L;

	private final TestStore store = new TestStore(() -> NOW);

	static Stream<Row> rows() {
		return CoveringArray.pairs(Row.class, (values) -> true).stream();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void instancesKeepToTheLimitTogether(Row row) {
		int number = row.instances().number;
		this.store.sharedBy(number).fail();
		List<Instance> instances = IntStream.range(0, number).mapToObj((index) -> new Instance(row)).toList();
		instances.forEach((instance) -> instance.requireFull(number));
		int known = happen(row, instances);
		this.store.sharedBy(known).fail();
		instances.forEach((instance) -> instance.requireFull(known));
		row.limit()
			.limits()
			.forEach((limit) -> assertThat(instances.stream().mapToLong((instance) -> instance.spent(limit)).sum())
				.isLessThanOrEqualTo(Math.max(number, limit.burst() * number / Math.min(known, number))));
		instances.forEach(Instance::release);
		this.store.recover();
		assertThat(instances.get(0).limiter.peek(CALL).limits())
			.allSatisfy((limit) -> assertThat(limit.limit().burst() - limit.remaining())
				.isEqualTo((row.event() == Event.COMES_BACK && !limit.limit().isConcurrency()) ? 1 : 0));
	}

	/** Returns how many instances each knows from then on. */
	private int happen(Row row, List<Instance> instances) {
		int number = row.instances().number;
		switch (row.event()) {
			case NOTHING -> {
			}
			case COMES_BACK -> {
				this.store.recover();
				instances.get(0).limiter.release(instances.get(0).limiter.reserve(CALL));
			}
			case CALLS_END -> instances.forEach(Instance::release);
			case CALLS_END_AFTER_IT -> {
				this.store.recover();
				instances.forEach(Instance::release);
			}
			case KNOWS_MORE -> {
				return 2 * number;
			}
			case KNOWS_FEWER -> {
				return Math.max(1, number / 2);
			}
		}
		return number;
	}

	/** A combination of features. */
	record Row(Limited limit, Instances instances, Event event, CallStyle style) {

	}

	enum Limited {

		BUCKET("12/1d"), LONG_BURST("12/1d burst 120"), LEAKY_BUCKET("12/1d leaky-bucket burst 30"),
		CALENDAR("12/1d fixed-window align day"), WINDOW("7/1d fixed-window"), COUNTER("12/1d sliding-window-counter"),
		LOG("12/1d sliding-window-log"), HELD("12 concurrent lease 1h"),
		HELD_AND_BURST("12/1d burst 120", "12 concurrent lease 1h"),
		HELD_AND_CALENDAR("60/30d fixed-window align month", "7 concurrent lease 1h");

		private final List<String> texts;

		Limited(String... texts) {
			this.texts = List.of(texts);
		}

		List<Limit> limits() {
			return this.texts.stream().map((text) -> Limit.parse(text, Algorithm.TOKEN_BUCKET)).toList();
		}

	}

	enum Instances {

		ONE(1), TWO(2), FIVE(5), TWENTY(20);

		private final int number;

		Instances(int number) {
			this.number = number;
		}

	}

	/** An event in the outage. */
	enum Event {

		NOTHING, COMES_BACK, CALLS_END, CALLS_END_AFTER_IT, KNOWS_MORE, KNOWS_FEWER

	}

	/** An instance, and the calls that it has admitted in the outage. */
	private final class Instance {

		private final Row row;

		private final RateLimiter limiter;

		private final List<Reservation> held = new ArrayList<>();

		private long used;

		Instance(Row row) {
			this.row = row;
			Policy policy = new Policy("row", row.limit().limits(), List.of("principal"))
				.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, LocalShare.AUTO));
			this.limiter = new RateLimiter(new Policies(List.of(policy)), DividedLimitTests.this.store,
					new MemoryRateLimitStore(100, () -> NOW), List.of(), LimitOverrides.NONE);
		}

		/** Returns how many more calls its part admits. */
		long room(int instances) {
			return this.row.limit()
				.limits()
				.stream()
				.mapToLong((limit) -> Math.max(1, limit.burst() / instances) - spent(limit))
				.map((left) -> Math.max(0, left))
				.min()
				.orElseThrow();
		}

		/** Returns what it has admitted that a limit still counts. */
		long spent(Limit limit) {
			return limit.isConcurrency() ? this.held.size() : this.used;
		}

		/** Checks that it admits as many more calls as its part has room for. */
		void requireFull(int instances) {
			long room = room(instances);
			assertThat(admitted()).as("of a part among %d", instances).isEqualTo(room);
		}

		/** Makes calls until one is denied. */
		long admitted() {
			long before = this.used;
			Reservation reservation = this.row.style().reserve(this.limiter, CALL);
			while (reservation.decision().allowed()) {
				this.held.add(reservation);
				this.used++;
				reservation = this.row.style().reserve(this.limiter, CALL);
			}
			return this.used - before;
		}

		void release() {
			this.held.forEach(this.limiter::release);
			this.held.clear();
		}

	}

}
