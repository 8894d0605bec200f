package io.github.ratelimit.algorithm;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;

import io.github.ratelimit.algorithm.ReplayedBucket.Charge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of refunds in a busy bucket, next to a bucket that replays all charges without
 * what was refunded. {@code -Dtest.refunds=1000000} for a long run, {@code -Dtest.seed}
 * to repeat one.
 */
class BucketRefundTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private static final System.Logger LOGGER = System.getLogger(BucketRefundTests.class.getName());

	/** The steps of a history. */
	private static final int HISTORY = 200;

	private static final int STEPS = Integer.getInteger("test.refunds", 100_000);

	private static final List<String> LIMITS = List.of("60000/1m", "10/1s", "7/1s burst 40", "13/17ms", "1000/1h",
			"3/1s leaky-bucket", "6131/1d burst 300");

	@Test
	void refundsNoMoreThanIfThePermitsHadNeverBeenCharged() {
		long seed = Long.getLong("test.seed", System.nanoTime());
		Random random = new Random(seed);
		int histories = STEPS / HISTORY;
		int exact = 0;
		double sum = 0;
		for (int history = 0; history < histories; history++) {
			Limit limit = Limit.parse(LIMITS.get(random.nextInt(LIMITS.size())));
			double part = partRefunded(limit, random, "seed " + seed + ", history " + history);
			exact += (part == 1) ? 1 : 0;
			sum += part;
		}
		LOGGER.log(Level.INFO, "{0} histories, in {1} all refunded that is exact, on average {2} of it, seed {3}",
				Integer.toString(histories), Integer.toString(exact),
				String.format(Locale.ROOT, "%.4f", sum / histories), Long.toString(seed));
	}

	/** Returns the part of what a replay refunds that the bucket did. */
	private static double partRefunded(Limit limit, Random random, String history) {
		Bucket bucket = new Bucket(limit);
		Replay replay = new Replay(limit);
		List<Charge> open = new ArrayList<>();
		long now = NOW;
		long longest = 1 + (long) (limit.periodMicros() * Math.pow(10, -3 * random.nextDouble()));
		int most = 1 + random.nextInt(20);
		for (int step = 0; step < HISTORY; step++) {
			now += random.nextLong(longest);
			long cost = 1 + random.nextLong(limit.burst());
			if (open.size() < most && (bucket.fits(now, cost) || random.nextInt(10) == 0)) {
				bucket.charge(now, cost);
				open.add(replay.charge(now, cost));
			}
			else if (!open.isEmpty()) {
				Charge ended = open.remove((random.nextInt(4) == 0) ? random.nextInt(open.size()) : 0);
				long refunded = 1 + random.nextLong(ended.cost());
				bucket.refund(now, refunded, ended);
				replay.refund(now, refunded, ended);
			}
			assertThat(bucket.spent(now)).as("%s, step %d: %s", history, step, limit)
				.isGreaterThanOrEqualTo(replay.spent(now));
		}
		return (replay.refunded > 0) ? (double) bucket.refunded / replay.refunded : 1;
	}

	/**
	 * Runs streams for ten minutes, each of which reserves permits and uses some of them.
	 */
	@ParameterizedTest
	@CsvSource({ "5000, 500, 10, 92", "1000, 500, 10, 100", "2000, 1000, 3, 96" })
	void refundsAlmostAsMuchToOverlappingStreams(long reserved, long used, long seconds, long percent) {
		Limit limit = Limit.parse("60000/1m");
		long exact = new Streams(reserved, used, seconds).run(new Replay(limit));
		assertThat(new Streams(reserved, used, seconds).run(new Bucket(limit)) * 100 / exact)
			.isGreaterThanOrEqualTo(percent);
	}

	@Test
	void spendsNoLessThanNothingWhereAFasterLimitHasRefilledTheCharge() {
		Bucket slow = new Bucket(Limit.parse("1/1s burst 10"));
		slow.charge(NOW, 8);
		Formula fast = Limit.parse("7/1s burst 10").formula();
		long[] read = Objects.requireNonNull(fast.read(slow.formula, slow.state, NOW + SECOND));
		slow.state = fast.take(read, NOW + SECOND, 1, 0);
		slow.refund(NOW + SECOND, 8, NOW);
		assertThat(slow.state[Formula.SPENT]).isZero();
	}

	/** Checks that a count whose refunds have become rare is short again. */
	@Test
	void forgetsWhatWasSpentOnceRefundsAreRare() {
		Bucket bucket = new Bucket(Limit.parse("10/1s"));
		bucket.charge(NOW, 10);
		bucket.refund(NOW + SECOND / 5, 5, NOW);
		assertThat(bucket.state).hasSize(17);
		for (int step = 1; step < 15; step++) {
			bucket.charge(NOW + step * SECOND / 2, 5);
		}
		assertThat(bucket.state).hasSize(4);
	}

	@Test
	void remembersNothingOfRefundsThatLoseLittle() {
		Bucket bucket = new Bucket(Limit.parse("10/1s"));
		bucket.charge(NOW, 10);
		bucket.refund(NOW + SECOND / 50, 5, NOW);
		assertThat(bucket.state).hasSize(4);
	}

	@Test
	void refundsWhatOthersSpentMeanwhile() {
		Bucket bucket = new Bucket(Limit.parse("10/1s"));
		bucket.charge(NOW, 10);
		for (int step = 0; step <= 10; step++) {
			bucket.charge(NOW + step * SECOND / 10, 1);
		}
		bucket.refund(NOW + SECOND, 1, NOW + SECOND / 2);
		for (int step = 11; step <= 20; step++) {
			bucket.charge(NOW + step * SECOND / 10, 1);
		}
		long now = NOW + 2 * SECOND;
		long before = bucket.spent(now);
		bucket.refund(now, 1, now - SECOND / 2);
		assertThat(before - bucket.spent(now)).isEqualTo(bucket.parts(1));
	}

	/** A bucket under test. */
	private static class Bucket {

		private final Formula formula;

		private final Limit limit;

		private long[] state;

		/** All that was refunded, in parts. */
		long refunded;

		Bucket(Limit limit) {
			this.limit = limit;
			this.formula = limit.formula();
			this.state = this.formula.stateOf(0, NOW);
		}

		boolean fits(long now, long cost) {
			return spent(now) + parts(cost) <= parts(this.limit.burst());
		}

		long parts(long permits) {
			return permits * this.formula.arguments(NOW)[1];
		}

		Charge charge(long now, long cost) {
			this.state = this.formula.take(this.state, now, cost, 0);
			return new Charge(now, cost);
		}

		void refund(long now, long cost, long chargedAt) {
			this.state = this.formula.refund(this.state, now, cost, chargedAt, chargedAt);
		}

		void refund(long now, long cost, Charge charge) {
			long before = spent(now);
			refund(now, cost, charge.time());
			this.refunded += before - spent(now);
		}

		long spent(long now) {
			this.state = this.formula.take(this.state, now, 0, 0);
			return this.state[Formula.SPENT];
		}

	}

	/** A bucket that replays all charges at their corrected costs. */
	private static final class Replay extends Bucket {

		private final ReplayedBucket replayed;

		Replay(Limit limit) {
			super(limit);
			this.replayed = new ReplayedBucket(limit, NOW);
		}

		@Override
		Charge charge(long now, long cost) {
			return this.replayed.charge(now, cost);
		}

		@Override
		void refund(long now, long cost, Charge charge) {
			long before = spent(now);
			charge.refund(cost);
			this.refunded += before - spent(now);
		}

		@Override
		long spent(long now) {
			return this.replayed.spent(now);
		}

	}

	/** Twenty streams that run all the time, and try again ten times a second. */
	private record Streams(long reserved, long used, long seconds) {

		private static final long END = NOW + 600 * SECOND;

		private record Event(long time, Charge ended) {

		}

		long run(Bucket bucket) {
			PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::time));
			for (long stream = 0; stream < 20; stream++) {
				events.add(new Event(NOW + stream * 100, new Charge(0, 0)));
			}
			long total = 0;
			while (events.element().time < END) {
				Event event = events.remove();
				if (event.ended.cost() > 0) {
					bucket.refund(event.time, this.reserved - this.used, event.ended);
					total += this.used;
				}
				boolean fits = bucket.fits(event.time, this.reserved);
				events
					.add(fits ? new Event(event.time + this.seconds * SECOND, bucket.charge(event.time, this.reserved))
							: new Event(event.time + SECOND / 10, new Charge(0, 0)));
			}
			return total;
		}

	}

}
