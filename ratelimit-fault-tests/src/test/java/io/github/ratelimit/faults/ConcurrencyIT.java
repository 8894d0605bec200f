package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.faults.HeldCalls.Held;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four instances of sixty-four threads, each in a JVM of its own, whose calls hold five
 * permits. One is killed, and another stands still for longer than a lease.
 */
@Tag("slow")
@ExtendWith(FaultTable.class)
class ConcurrencyIT {

	private static final int INSTANCES = 4;

	private static final Duration TIME = Duration.ofSeconds(60);

	private final List<Path> files = IntStream.range(0, INSTANCES)
		.mapToObj((instance) -> Path.of("target", "held-calls-" + instance))
		.toList();

	/**
	 * The threads that call again while they are denied leave little of two processors to
	 * those that hold permits.
	 */
	@Test
	void neverHasMoreHoldersThanPermitsIfDeniedThreadsCallAgain(Rows table) throws Exception {
		verify(0, 90, "call again 10 to 30 ms after a denial", table);
	}

	@Test
	void neverHasMoreHoldersThanPermitsIfThreadsWait(Rows table) throws Exception {
		verify(20, 95, "wait for them", table);
	}

	private void verify(int maxWait, int percentUsed, String calls, Rows table) throws Exception {
		Run run = run(maxWait);
		int most = most(run.calls());
		double utilisation = utilisation(run.calls(), run.begin() + micros(Duration.ofSeconds(2)), run.killed());
		double backAfter = (firstFull(run.others(), run.killed()) - run.killed()) / 1e6;
		table.add(
				"32 4 JVMs of 64 threads that " + calls
						+ ", on 5 concurrent calls for 60 s; one is killed, one stands still for 6 s",
				"at most 5 holders whose lease of 3 s has not ended; without faults at least " + percentUsed
						+ " % of all permits used; permits of the dead are back within 4 s",
				String.format(Locale.ROOT, "%d calls; at most %d holders; %.1f %% used; back after %.2f s",
						run.calls().size(), most, 100 * utilisation, backAfter));
		assertThat(most).isEqualTo(HeldCalls.PERMITS);
		assertThat(utilisation).isGreaterThanOrEqualTo(percentUsed / 100.0);
		assertThat(backAfter).isLessThanOrEqualTo((double) HeldCalls.LEASE.toSeconds() + 1);
	}

	private Run run(int maxWait) throws Exception {
		try (RedisProcess redis = RedisProcess.start()) {
			List<Jvm> instances = start(redis.port(), maxWait);
			long begin = now();
			Timing.sleep(Duration.ofSeconds(20));
			long killed = whileItHolds(0, instances.get(0)::close);
			Timing.sleep(Duration.ofSeconds(12));
			long paused = whileItHolds(1, instances.get(1)::pause);
			Timing.sleep(HeldCalls.LEASE.multipliedBy(2));
			instances.get(1).resume();
			long resumed = now();
			instances.subList(1, INSTANCES).forEach(Jvm::join);
			assertThat(freePermits(redis.port())).isEqualTo(HeldCalls.PERMITS);
			Stream<Held> dead = held(0).stream().map((held) -> held.atMostALeaseIfOpen(killed, killed));
			Stream<Held> stopped = held(1).stream().map((held) -> held.atMostALeaseIfOpen(paused, resumed));
			List<Held> others = Stream.concat(stopped, Stream.of(2, 3).flatMap((instance) -> held(instance).stream()))
				.toList();
			return new Run(begin, killed, others, Stream.concat(dead, others.stream()).toList());
		}
	}

	private List<Jvm> start(int port, int maxWait) throws Exception {
		List<Jvm> instances = new ArrayList<>();
		for (Path file : this.files) {
			Files.deleteIfExists(file);
			instances.add(Jvm.run("128m", HeldCalls.class, port, TIME.toMillis(), file, maxWait));
		}
		instances.forEach(Jvm::awaitReady);
		instances.forEach(Jvm::go);
		return instances;
	}

	/** Does something to an instance while it holds permits, and returns when. */
	private long whileItHolds(int instance, Runnable fault) {
		Timing.until(Duration.ofSeconds(20), () -> held(instance).stream().anyMatch((held) -> held.end() == Held.OPEN));
		long time = now();
		fault.run();
		return time;
	}

	private List<Held> held(int instance) {
		return Held.of(this.files.get(instance));
	}

	/** Returns the permits that are free a lease after all calls have ended. */
	private static long freePermits(int port) {
		Timing.sleep(HeldCalls.LEASE.plusSeconds(1));
		try (RedisRateLimitStore store = Stores.patient(port);
				RateLimiter limiter = new RateLimiter(HeldCalls.policies(0), store, List.of())) {
			return limiter.peek(List.of(Charge.of("slots", Policy.EVERYONE))).limits().get(0).remaining();
		}
	}

	/** Returns the most calls that held permits at one time. */
	private static int most(List<Held> all) {
		return changes(all).stream().mapToInt(Change::holders).max().orElseThrow();
	}

	private static double utilisation(List<Held> all, long from, long to) {
		long used = all.stream()
			.mapToLong((held) -> Math.max(0, Math.min(held.end(), to) - Math.max(held.begin(), from)))
			.sum();
		return (double) used / (to - from) / HeldCalls.PERMITS;
	}

	/** Returns when calls hold all permits, for the first time from a time on. */
	private static long firstFull(List<Held> all, long from) {
		return changes(all).stream()
			.filter((change) -> change.time() >= from && change.holders() == HeldCalls.PERMITS)
			.mapToLong(Change::time)
			.findFirst()
			.orElseThrow();
	}

	/** Returns the number of holders after each change; at one time, calls end first. */
	private static List<Change> changes(List<Held> all) {
		List<Change> changes = Stream
			.concat(all.stream().map((held) -> new Change(held.begin(), 1)),
					all.stream().map((held) -> new Change(held.end(), -1)))
			.sorted(Comparator.comparingLong(Change::time).thenComparingInt(Change::holders))
			.toList();
		List<Change> counted = new ArrayList<>();
		int holders = 0;
		for (Change change : changes) {
			holders += change.holders();
			counted.add(new Change(change.time(), holders));
		}
		return counted;
	}

	private static long now() {
		return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
	}

	private static long micros(Duration time) {
		return TimeUnit.MICROSECONDS.convert(time);
	}

	/**
	 * The calls of all instances, and those of the ones that were not killed. A call that
	 * was open when its instance was killed or stood still counts for a lease.
	 */
	private record Run(long begin, long killed, List<Held> others, List<Held> calls) {

	}

	/** A time at which the number of holders changes. */
	private record Change(long time, int holders) {

	}

}
