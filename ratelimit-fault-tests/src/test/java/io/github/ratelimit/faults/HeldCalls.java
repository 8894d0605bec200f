package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;

/**
 * An instance in a JVM of its own, whose threads always want one of a few permits. It
 * records when its calls got and released them, so that nothing of that is lost if it is
 * killed. A few calls take longer than a lease.
 */
final class HeldCalls {

	static final int PERMITS = 5;

	static final Duration LEASE = Duration.ofSeconds(3);

	private static final int THREADS = 64;

	/** The number of calls of which one is long. */
	private static final int LONG = 200;

	private final AtomicLong calls = new AtomicLong();

	private final RateLimiter limiter;

	private final OutputStream record;

	private HeldCalls(RateLimiter limiter, OutputStream record) {
		this.limiter = limiter;
		this.record = record;
	}

	/**
	 * Reports that it is ready, waits for a line, and calls for a while.
	 * @param arguments the port of Redis, the time to call in milliseconds, the file to
	 * write, and the seconds that a call may wait for a permit
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		try (RedisRateLimitStore store = Stores.patient(Integer.parseInt(arguments[0]));
				RateLimiter limiter = new RateLimiter(policies(Long.parseLong(arguments[3])), store, List.of());
				OutputStream record = Files.newOutputStream(Path.of(arguments[2]))) {
			store.connect();
			Jvm.awaitGo();
			new HeldCalls(limiter, record).callFor(Duration.ofMillis(Long.parseLong(arguments[1])));
		}
	}

	static Policies policies(long maxWaitSeconds) {
		Limit limit = Limit.parse(PERMITS + " concurrent lease " + LEASE.toSeconds() + "s", Algorithm.TOKEN_BUCKET);
		return new Policies(List.of(new Policy("slots", List.of(limit), List.of(Policy.EVERYONE))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100)
				.withMaxWait(Duration.ofSeconds(maxWaitSeconds)))));
	}

	private void callFor(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		List<Thread> threads = Stream.generate(() -> new Thread(() -> callUntil(end))).limit(THREADS).toList();
		threads.forEach(Thread::start);
		threads.forEach(Timing::join);
	}

	private void callUntil(long end) {
		while (System.nanoTime() - end < 0) {
			Reservation reservation = this.limiter.reserve(List.of(Charge.of("slots", Policy.EVERYONE)));
			if (reservation.holdsPermits()) {
				hold(reservation);
			}
			else {
				Timing.sleep(Duration.ofMillis(ThreadLocalRandom.current().nextLong(10, 30)));
			}
		}
	}

	/** Holds a permit, and records its release before it starts. */
	private void hold(Reservation reservation) {
		long call = this.calls.incrementAndGet();
		write(call + " " + reservation.decision().storeTimeMicros());
		ThreadLocalRandom random = ThreadLocalRandom.current();
		Timing.sleep((random.nextInt(LONG) == 0) ? LEASE.multipliedBy(2) : Duration.ofMillis(random.nextLong(50, 150)));
		write(call + " " + TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
		this.limiter.release(reservation);
	}

	private void write(String line) {
		synchronized (this.record) {
			try {
				this.record.write((line + "\n").getBytes(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * A call that held a permit, by the machine's clock in microseconds.
	 *
	 * @param begin when it got the permit
	 * @param end when it began to release it
	 */
	record Held(long begin, long end) {

		/** The end of a call that has not released its permit. */
		static final long OPEN = Long.MAX_VALUE;

		/** Reads the calls of an instance. */
		static List<Held> of(Path file) {
			Map<String, Held> calls = new HashMap<>();
			try {
				for (String line : Files.readString(file).lines().toList()) {
					String[] words = line.split(" ", -1);
					if (words.length == 2 && words[1].length() == 16) {
						calls.merge(words[0], new Held(Long.parseLong(words[1]), OPEN),
								(begun, ended) -> new Held(begun.begin, ended.begin));
					}
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return List.copyOf(calls.values());
		}

		/** Returns this call, at most for a lease if it was open in a time. */
		Held atMostALeaseIfOpen(long from, long to) {
			boolean open = this.begin <= to && this.end >= from;
			return open ? new Held(this.begin, Math.min(this.end, this.begin + LEASE.toMillis() * 1000)) : this;
		}

	}

}
