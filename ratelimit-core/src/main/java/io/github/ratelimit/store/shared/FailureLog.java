package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A log of outages of a store: one line when it starts to fail, one when it fails for
 * another reason, and one when it recovers, which is when a run succeeds and none has
 * failed for five seconds. It never has a line for each failure. Thread-safe.
 */
public final class FailureLog {

	private static final long QUIET = Duration.ofSeconds(5).toNanos();

	/** The least time between two lines of one kind within an outage. */
	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final String server;

	private final LongSupplier nanoClock;

	private final Consumer<String> warnings;

	private final Consumer<String> infos;

	private final AtomicBoolean failing = new AtomicBoolean();

	private final LongAdder failures = new LongAdder();

	/** When each kind was last logged. */
	private final Map<Kind, Long> loggedAt = new EnumMap<>(Kind.class);

	private volatile @Nullable Kind logged;

	private volatile long lastFailureAt;

	private volatile @Nullable StoreFailure lastFailure;

	/**
	 * Creates a log of a store that does not fail.
	 * @param server the name of the store in its lines
	 * @param nanoClock a clock like {@link System#nanoTime}
	 * @param warnings logs that it fails, and why
	 * @param infos logs that it has recovered
	 */
	public FailureLog(String server, LongSupplier nanoClock, Consumer<String> warnings, Consumer<String> infos) {
		this.server = server;
		this.nanoClock = nanoClock;
		this.warnings = warnings;
		this.infos = infos;
	}

	/**
	 * Returns the latest failure other than by an open breaker.
	 * @return the failure; {@code null} if there was none
	 */
	public @Nullable StoreFailure lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Records a failure.
	 * @param failure the failure
	 * @return the same
	 */
	public RateLimitStoreException onFailure(RateLimitStoreException failure) {
		this.lastFailureAt = this.nanoClock.getAsLong();
		this.failures.increment();
		if (failure.getKind() != Kind.OPEN) {
			this.lastFailure = StoreFailure.of(failure);
		}
		if (!this.failing.get() && this.failing.compareAndSet(false, true)) {
			logBegin(cause(failure));
		}
		else if (failure.getKind() != Kind.OPEN && failure.getKind() != this.logged) {
			logChange(cause(failure));
		}
		return failure;
	}

	/** Records that a run has succeeded. */
	public void onSuccess() {
		if (this.failing.get() && this.nanoClock.getAsLong() - this.lastFailureAt >= QUIET
				&& this.failing.compareAndSet(true, false)) {
			this.infos.accept(
					this.server + " decides on rate limits again, after " + this.failures.sumThenReset() + " failures");
		}
	}

	/** Returns the failure that made the breaker open, if it is. */
	private StoreFailure cause(RateLimitStoreException failure) {
		StoreFailure last = this.lastFailure;
		return (failure.getKind() == Kind.OPEN && last != null) ? last : StoreFailure.of(failure);
	}

	private synchronized void logBegin(StoreFailure failure) {
		log(failure);
	}

	private synchronized void logChange(StoreFailure failure) {
		Long before = this.loggedAt.get(failure.kind());
		if (failure.kind() != this.logged && (before == null || this.nanoClock.getAsLong() - before >= PAUSE)) {
			log(failure);
		}
	}

	private void log(StoreFailure failure) {
		this.logged = failure.kind();
		this.loggedAt.put(failure.kind(), this.nanoClock.getAsLong());
		this.warnings.accept(this.server + " does not decide on rate limits: " + failure.reason()
				+ ". Until it does, 'on-store-failure' applies: by default, this instance limits by its own counts. "
				+ "Further failures are counted, not logged");
	}

}
