package io.github.ratelimit.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.spring.control.ActiveControl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances over HTTP, while the server of their counts fails in one way after the
 * other, and operators change controls and limits. The properties
 * {@code test.chaos.minutes} and {@code test.seed} have the time and the seed of all that
 * is random.
 */
@ExtendWith(FaultTable.class)
@Tag("slow")
abstract class ChaosContract {

	private static final String PROMISE = "2 instances: no period above its bound, once more for each loss of data; meters"
			+ " equal responses; bans hold; at the end controls are as they were set, permits are back, and all keys expire;"
			+ " threads and heap are bounded";

	private static final int MINUTES = Integer.getInteger("test.chaos.minutes", 10);

	private static final long SEED = Long.getLong("test.seed", System.nanoTime() % 1_000_000);

	private static final Duration SOON = Duration.ofSeconds(5);

	/**
	 * The threads by which the pools of servers, clients and Lettuce grow to their sizes.
	 */
	private static final int MOST_THREADS_MORE = 40;

	private static final long MOST_HEAP_MORE = 50_000_000;

	private final Path folder = Path.of("target", "chaos");

	private final Path file = this.folder.resolve("application.properties");

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ChaosInstance.Held held = new ChaosInstance.Held();

	private final ChaosTiming timing = ChaosTiming.start();

	private final String fault;

	/**
	 * Creates a chaos.
	 * @param fault what the server does at random
	 */
	ChaosContract(String fault) {
		this.fault = fault;
	}

	/** Starts the server. */
	abstract ChaosServer server();

	@AfterEach
	void end() {
		this.timing.close();
	}

	@Test
	void keepsItsPromisesWhateverHappens(Rows table) throws IOException {
		Files.createDirectories(this.folder);
		ChaosOperator.write(this.file, ChaosInstance.OPEN.get(0));
		try (ChaosServer server = server();
				ChaosInstance one = instance(server);
				ChaosInstance other = instance(server)) {
			List<ChaosInstance> instances = List.of(one, other);
			ChaosLoad warm = load(instances, SEED, () -> Timing.sleep(SOON));
			Footprint before = Footprint.now();
			ChaosFaults faults = new ChaosFaults(server.faults(), new Random(SEED));
			ChaosOperator operator = ChaosOperator.on(instances, this.file, new Random(SEED + 1));
			ChaosLoad load = load(instances, SEED + 2, () -> fail(instances, faults, operator));
			assertThatAllWentOn(load, operator);
			assertThatMetersAreRight(instances, warm, load);
			assertThatBansApplied(operator, load.recorded());
			assertThatPermitsAreBack(instances, faults);
			assertThatControlsAreRight(server, instances, operator);
			server.requireEnds();
			String bounds = new ChaosAccount(faults).requireBounds(load.recorded());
			table.add(name(), PROMISE,
					String.join("; ", "seed " + SEED + ": " + calls(load),
							this.timing.requireAtMost(server.longestCall()), "faults " + faults.numbers(), bounds,
							atATime(), operator.toString(), before + " before, " + requireSmall(before) + " after"));
		}
	}

	private String name() {
		return this.fault + " at random for " + MINUTES + " min, while operators change controls and limits";
	}

	private static void assertThatAllWentOn(ChaosLoad load, ChaosOperator operator) {
		assertThat(load.failures()).as("seed %d", SEED).isEmpty();
		assertThat(operator.failure()).as("seed %d", SEED).isNull();
	}

	private static void fail(List<ChaosInstance> instances, ChaosFaults faults, ChaosOperator operator) {
		try (operator) {
			faults.causeFor(Duration.ofMinutes(MINUTES));
		}
		Timing.until(SOON, () -> instances.stream().allMatch(ChaosInstance::enforces));
	}

	private String atATime() {
		return "at most " + this.held.most() + " of " + ChaosInstance.CONCURRENT + " calls at a time";
	}

	private ChaosInstance instance(ChaosServer server) {
		return ChaosInstance.on(server, this.folder, this.held, this.timing);
	}

	private ChaosLoad load(List<ChaosInstance> instances, long seed, Runnable meanwhile) {
		try (ChaosLoad load = ChaosLoad.on(this.client, instances, seed)) {
			meanwhile.run();
			return load;
		}
	}

	private static void assertThatMetersAreRight(List<ChaosInstance> instances, ChaosLoad... loads) {
		Map<String, Long> seen = new TreeMap<>();
		List.of(loads)
			.forEach((load) -> load.outcomes().forEach((outcome, calls) -> seen.merge(outcome, calls, Long::sum)));
		Map<String, Long> metered = new TreeMap<>();
		instances.forEach((instance) -> instance.outcomes()
			.forEach((outcome, calls) -> metered.merge(outcome, calls, Long::sum)));
		assertThat(metered).as("seed %d", SEED).isEqualTo(seen);
	}

	/** On the instance that set or lifted a ban, until the next attempt. */
	private static void assertThatBansApplied(ChaosOperator operator, List<ChaosCall> calls) {
		List<ChaosCall> banned = calls.stream().filter((call) -> ChaosLoad.BANNED.contains(call.key())).toList();
		for (ChaosOperator.Known known : operator.known()) {
			assertThat(banned.stream().filter(known::concerns)).as("seed %d: %s", SEED, known.active())
				.allMatch((call) -> (call.status() == 403) == (known.active() != null));
		}
	}

	private void assertThatPermitsAreBack(List<ChaosInstance> instances, ChaosFaults faults) {
		Timing.until(ChaosInstance.LEASE.plus(SOON),
				() -> instances.stream().allMatch((instance) -> instance.freeSlots() == ChaosInstance.CONCURRENT));
		assertThat(this.held.tooMany()).as("seed %d", SEED)
			.allMatch((time) -> faults.lossesIn(time - Duration.ofSeconds(1).toNanos(), time) > 0);
		assertThat(this.held.most()).isBetween(2, 2 * ChaosInstance.CONCURRENT);
	}

	private void assertThatControlsAreRight(ChaosServer server, List<ChaosInstance> instances, ChaosOperator operator) {
		try (ChaosInstance started = instance(server)) {
			Timing.until(SOON, () -> instances.stream().allMatch((each) -> active(each).equals(active(started))));
			Map<String, ActiveControl> active = active(started).stream()
				.collect(Collectors.toMap(ActiveControl::id, (control) -> control));
			operator.latest()
				.forEach((id, known) -> assertThat(active.get(id)).as("seed %d: %s", SEED, id)
					.isEqualTo(known.active()));
			String open = Objects.toString(Limit.parse(operator.open(), Algorithm.TOKEN_BUCKET));
			Timing.until(SOON, () -> instances.stream().allMatch((each) -> each.limit("open").equals(open)));
		}
	}

	private static Set<ActiveControl> active(ChaosInstance instance) {
		return Set.copyOf(instance.controls().active());
	}

	private static Footprint requireSmall(Footprint before) {
		Footprint after = Footprint.now();
		assertThat(after.threadCount()).as("seed %d: %s, %s before", SEED, after.threads(), before.threads())
			.isLessThanOrEqualTo(before.threadCount() + MOST_THREADS_MORE);
		assertThat(after.heap()).as("seed %d", SEED).isLessThanOrEqualTo(before.heap() + MOST_HEAP_MORE);
		return after;
	}

	private static String calls(ChaosLoad load) {
		Map<String, Long> outcomes = new TreeMap<>();
		load.outcomes()
			.forEach((outcome, calls) -> outcomes.merge(outcome.substring(outcome.indexOf(' ') + 1), calls, Long::sum));
		return outcomes.values().stream().mapToLong(Long::longValue).sum() + " calls " + outcomes;
	}

}
