package io.github.ratelimit.benchmarks.jmh;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * Measures what bans of other keys add to a decision in memory, and prints it:
 *
 * <pre>
 * mvn -Pbenchmarks -pl ratelimit-benchmarks -am -DskipTests package exec:java \
 *   -Dexec.mainClass=io.github.ratelimit.benchmarks.jmh.ControlCosts
 * </pre>
 *
 * <p>
 * The difference is smaller than that of two processes which compile the same code. So
 * one process measures without bans and with them in turn.
 */
public final class ControlCosts {

	private static final PrintStream OUT = System.out;

	private static final int[] BANS = { 0, 1, 10_000 };

	private static final int ROUNDS = 120;

	/** The rounds until everything is compiled. */
	private static final int WARM_UP = 40;

	private static final int CALLS = 300_000;

	private static final int KEYS = 1024;

	private final Policies policies = Rates.policies(Rates.roomy());

	private final RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(100_000), List.of());

	private final String[] keys = IntStream.range(0, KEYS)
		.mapToObj((key) -> "client-ip:192.0.2." + key)
		.toArray(String[]::new);

	private ControlCosts() {
	}

	/**
	 * Runs the measurement.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		double[][] nanos = new ControlCosts().measure();
		for (int i = 0; i < BANS.length; i++) {
			OUT.printf("%,d bans: %.1f ns a decision, %.3f x without%n", BANS[i], median(nanos[i]),
					median(nanos[i]) / median(nanos[0]));
		}
	}

	private double[][] measure() {
		List<KeyControls> controls = IntStream.of(BANS).mapToObj(ControlCosts::bans).toList();
		double[][] nanos = new double[BANS.length][ROUNDS];
		for (int round = -WARM_UP; round < ROUNDS; round++) {
			for (int i = 0; i < BANS.length; i++) {
				this.policies.control(controls.get(i));
				nanos[i][Math.max(0, round)] = nanosOfDecision();
			}
		}
		return nanos;
	}

	private double nanosOfDecision() {
		long start = System.nanoTime();
		for (int call = 0; call < CALLS; call++) {
			if (!this.limiter.acquire(Charge.of(Rates.POLICY, this.keys[call % KEYS])).allowed()) {
				throw new IllegalStateException("a call was denied");
			}
		}
		return (System.nanoTime() - start) / (double) CALLS;
	}

	private static KeyControls bans(int count) {
		return new KeyControls(IntStream.range(0, count)
			.mapToObj((key) -> new Subject(Rates.POLICY, "client-ip:198.51.100." + key))
			.collect(Collectors.toMap(Function.identity(), (subject) -> KeyControl.BAN)));
	}

	private static double median(double[] values) {
		return Arrays.stream(values).sorted().skip(values.length / 2).findFirst().orElseThrow();
	}

}
