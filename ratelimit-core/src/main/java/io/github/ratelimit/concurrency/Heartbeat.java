package io.github.ratelimit.concurrency;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A heartbeat that renews the permits of calls which take long, about every third of
 * their lease. Its thread starts with the first call that holds permits, and ends when
 * there are none. Permits that nothing refers to any more, so that nothing can give them
 * back, are not renewed. Thread-safe.
 */
public final class Heartbeat implements AutoCloseable {

	private static final Logger LOGGER = System.getLogger(Heartbeat.class.getName());

	/** The looks for permits that are due, in a lease. */
	private static final int LOOKS = 12;

	/** The looks after which permits are due, so that they are renewed by a third. */
	private static final int DUE = 3;

	/** The most renewals in flight. */
	private static final int CHUNK = 64;

	private final Set<WeakReference<HeldPermits>> held = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final LongSupplier nanoClock;

	private final Consumer<String> lost;

	private final ScheduledThreadPoolExecutor executor;

	/** The shortest lease so far, in microseconds. */
	private volatile long shortestLease = Long.MAX_VALUE;

	/**
	 * Creates a heartbeat on the process's monotonic clock.
	 * @param lost notified of the policy of each call whose permits are lost
	 */
	public Heartbeat(Consumer<String> lost) {
		this(lost, System::nanoTime);
	}

	Heartbeat(Consumer<String> lost, LongSupplier nanoClock) {
		this.lost = lost;
		this.nanoClock = nanoClock;
		this.executor = new ScheduledThreadPoolExecutor(1, (beat) -> {
			Thread thread = new Thread(beat, "ratelimit-heartbeat");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.setKeepAliveTime(1, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/**
	 * Renews permits from now on, until they are given back or lost.
	 * @param permits the permits that a call holds
	 */
	public void keep(HeldPermits permits) {
		long lease = permits.permit().limit().periodMicros();
		if (lease < this.shortestLease) {
			this.shortestLease = lease;
		}
		WeakReference<HeldPermits> reference = new WeakReference<>(permits);
		this.held.add(reference);
		permits.keptSince(this.nanoClock.getAsLong(), () -> this.held.remove(reference));
		schedule();
	}

	/** Stops renewing. Permits that calls still hold return when their leases end. */
	@Override
	public void close() {
		this.executor.shutdownNow();
		this.held.clear();
	}

	private void schedule() {
		if (!this.executor.isShutdown() && this.scheduled.compareAndSet(false, true)) {
			try {
				Future<?> unused = this.executor.schedule(this::look, this.shortestLease / LOOKS,
						TimeUnit.MICROSECONDS);
			}
			catch (RejectedExecutionException ex) {
				LOGGER.log(Level.DEBUG, "The heartbeat was stopped", ex);
			}
		}
	}

	private void look() {
		this.scheduled.set(false);
		try {
			beat();
		}
		catch (RuntimeException | Error ex) {
			LOGGER.log(Level.WARNING, "Permits that calls hold could not be renewed", ex);
		}
		if (!this.held.isEmpty()) {
			schedule();
		}
	}

	/** Renews what is due, some at a time. */
	void beat() {
		List<Renewal> due = due();
		for (int from = 0; from < due.size(); from += CHUNK) {
			List<Renewal> chunk = due.subList(from, Math.min(from + CHUNK, due.size()));
			CompletableFuture.allOf(chunk.stream().map(this::renew).toArray(CompletableFuture<?>[]::new)).join();
		}
	}

	/** Returns a renewal for all permits of a count that were charged at one time. */
	private List<Renewal> due() {
		this.held.removeIf((reference) -> reference.get() == null);
		Map<Object, Renewal> due = new LinkedHashMap<>();
		for (WeakReference<HeldPermits> reference : this.held) {
			HeldPermits permits = reference.get();
			Renewal renewal = (permits != null) ? renewal(permits) : null;
			if (renewal != null) {
				due.merge(renewal.count(), renewal, Renewal::and);
			}
		}
		return new ArrayList<>(due.values());
	}

	private @Nullable Renewal renewal(HeldPermits permits) {
		long lease = TimeUnit.MICROSECONDS.toNanos(permits.permit().limit().periodMicros());
		return Renewal.of(permits, this.nanoClock.getAsLong() - lease * DUE / LOOKS);
	}

	private CompletableFuture<?> renew(Renewal renewal) {
		return renewal.execute(this.nanoClock.getAsLong()).thenAccept((lost) -> {
			if (lost > 0) {
				LOGGER.log(Level.WARNING, lost + " calls of policy '" + renewal.policy()
						+ "' go on without their permits, as the lease ended before it could be renewed");
			}
			for (int call = 0; call < lost; call++) {
				this.lost.accept(renewal.policy());
			}
		}).exceptionally((failure) -> {
			LOGGER.log(Level.DEBUG, "Permits that calls hold could not be renewed", failure);
			return null;
		});
	}

}
