package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Faults of a server, one after the other, as a random number says. After each, the
 * server is well for a while.
 */
final class ChaosFaults {

	private final Map<String, Integer> numbers = new TreeMap<>();

	private final List<Loss> losses = new CopyOnWriteArrayList<>();

	private final List<Fault> faults;

	private final Random random;

	ChaosFaults(List<Fault> faults, Random random) {
		this.faults = faults;
		this.random = random;
	}

	/** Causes faults for a time, the last of which is over at the end. */
	void causeFor(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() - end < 0) {
			Fault fault = this.faults.get(this.random.nextInt(this.faults.size()));
			fault.cause.accept(this);
			this.numbers.merge(fault.name, 1, Integer::sum);
			sleep(300, 2500);
		}
	}

	/** Returns how often there was each fault. */
	Map<String, Integer> numbers() {
		return this.numbers;
	}

	/** Returns how often the server may have lost counts within a time. */
	long lossesIn(long from, long to) {
		return this.losses.stream().filter((loss) -> loss.begin() - to < 0 && loss.end() - from > 0).count();
	}

	/** Returns whether the server may have lost the count of a call. */
	boolean mayHaveLost(ChaosCall call) {
		return this.losses.stream()
			.anyMatch(
					(loss) -> call.begin() - loss.end() < 0 && call.end() - loss.begin() + loss.reach().toNanos() > 0);
	}

	/**
	 * Causes a loss of counts.
	 * @param reach the time before it from which counts may be lost, too
	 */
	void lose(Duration reach, Runnable action) {
		long begin = System.nanoTime();
		action.run();
		this.losses.add(new Loss(begin, System.nanoTime(), reach));
	}

	/** Repeats an action some times. */
	void repeat(BooleanSupplier action) {
		for (int time = this.random.nextInt(20); time >= 0; time--) {
			retry(action);
			sleep(0, 100);
		}
	}

	/** Retries an action until it succeeds, as the server may have just started. */
	static void retry(BooleanSupplier action) {
		Timing.until(Duration.ofSeconds(20), action);
	}

	void sleep(int leastMillis, int mostMillis) {
		Timing.sleep(Duration.ofMillis(this.random.nextInt(leastMillis, mostMillis)));
	}

	/**
	 * A kind of faults.
	 *
	 * @param name the name
	 * @param cause lets the server fail in this way, and ends it
	 */
	record Fault(String name, Consumer<ChaosFaults> cause) {

	}

	/**
	 * A loss of counts.
	 *
	 * @param begin the last moment before it
	 * @param end the first moment after it
	 * @param reach the time before it from which counts may be lost, too
	 */
	private record Loss(long begin, long end, Duration reach) {

	}

}
