package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A load: threads that make requests to a store, each a few milliseconds after the
 * decision before, and the result of each request.
 */
final class Load implements AutoCloseable {

	private static final long PAUSE_NANOS = Duration.ofMillis(4).toNanos();

	private final RateLimitStore store;

	private final List<Thread> threads = new ArrayList<>();

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final Supplier<List<PermitRequest>> permits;

	private volatile boolean ended;

	private Load(RateLimitStore store, Supplier<List<PermitRequest>> permits) {
		this.store = store;
		this.permits = permits;
	}

	/** Charges {@link FaultPermits#KEYS} keys in turn. */
	static Load on(RateLimitStore store, int threads) {
		AtomicInteger calls = new AtomicInteger();
		return on(store, threads, () -> FaultPermits.one("key-" + calls.getAndIncrement() % FaultPermits.KEYS));
	}

	/** Starts a load, and waits until enough was decided for the code to be warm. */
	static Load on(RateLimitStore store, int threads, Supplier<List<PermitRequest>> permits) {
		Load load = new Load(store, permits);
		for (int index = 0; index < threads; index++) {
			Thread thread = new Thread(load::run, "load-" + index);
			thread.setDaemon(true);
			load.threads.add(thread);
			thread.start();
		}
		Timing.sleep(Duration.ofSeconds(1));
		Timing.until(Duration.ofSeconds(30), load::isSteady);
		return load;
	}

	/**
	 * Returns the calls that started at or after an instant of {@link System#nanoTime}.
	 */
	Calls since(long nanoTime) {
		return new Calls(this.calls.stream().filter((call) -> call.begin() - nanoTime >= 0).toList());
	}

	Calls all() {
		return new Calls(List.copyOf(this.calls));
	}

	/** Returns the time from an instant to the end of the first call that was decided. */
	Duration recoveryAfter(long nanoTime) {
		Timing.until(Duration.ofSeconds(30), () -> since(nanoTime).decided() > 0);
		long first = since(nanoTime).all()
			.stream()
			.filter(Call::decided)
			.mapToLong((call) -> call.begin() + call.nanos() - nanoTime)
			.min()
			.orElseThrow();
		return Duration.ofNanos(first);
	}

	/** Stops the load and waits for the last decisions. */
	void end() {
		this.ended = true;
		this.threads.forEach(Timing::join);
	}

	@Override
	public void close() {
		end();
	}

	private boolean isSteady() {
		long recent = System.nanoTime() - Duration.ofMillis(300).toNanos();
		return all().decided() > 2000 && since(recent).failures().isEmpty();
	}

	private void run() {
		while (!this.ended) {
			long due = System.nanoTime() + PAUSE_NANOS;
			LockSupport.parkNanos(PAUSE_NANOS);
			this.calls.add(call(System.nanoTime() - due));
		}
	}

	private Call call(long late) {
		List<PermitRequest> permits = this.permits.get();
		long begin = System.nanoTime();
		try {
			this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits));
			return new Call(begin, System.nanoTime() - begin, late, null);
		}
		catch (RateLimitStoreException ex) {
			return new Call(begin, System.nanoTime() - begin, late, ex.getKind());
		}
	}

	/**
	 * A call: its start, its time, the delay of its thread by the machine and its
	 * failure, if any.
	 */
	record Call(long begin, long nanos, long late, @Nullable Kind failure) {

		boolean decided() {
			return this.failure == null;
		}

	}

	/**
	 * Several calls.
	 */
	record Calls(List<Call> all) {

		long decided() {
			return this.all.stream().filter(Call::decided).count();
		}

		Calls failed(Kind kind) {
			return new Calls(this.all.stream().filter((call) -> call.failure() == kind).toList());
		}

		Calls failedOtherThan(Kind kind) {
			return new Calls(this.all.stream().filter((call) -> !call.decided() && call.failure() != kind).toList());
		}

		/** Returns the number of failed calls by kind. */
		Map<Kind, Long> failures() {
			return this.all.stream()
				.map(Call::failure)
				.filter(Objects::nonNull)
				.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		}

		int size() {
			return this.all.size();
		}

		/** Returns the 99th percentile of the times, in milliseconds; 0 without calls. */
		double p99() {
			return p99(this.all.stream().mapToLong(Call::nanos));
		}

		/**
		 * Returns the 99th percentile of the delays of threads by the machine, in
		 * milliseconds.
		 */
		double p99OfMachine() {
			return p99(this.all.stream().mapToLong(Call::late));
		}

		/** Returns the longest delay of a thread by the machine, in milliseconds. */
		double longestDelayByMachine() {
			return this.all.stream().mapToLong(Call::late).max().orElse(0) / 1e6;
		}

		private static double p99(LongStream nanos) {
			long[] sorted = nanos.sorted().toArray();
			return (sorted.length == 0) ? 0 : sorted[(sorted.length * 99 - 1) / 100] / 1e6;
		}

	}

}
