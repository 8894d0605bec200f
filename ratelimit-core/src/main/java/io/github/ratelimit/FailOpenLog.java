package io.github.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;

/**
 * A log of fail-open decisions. It warns, at most once a minute, that calls are not
 * limited while a store fails.
 */
final class FailOpenLog {

	private static final Logger LOGGER = System.getLogger(FailOpenLog.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private static final int MOST_NAMES = 10;

	private final Policies policies;

	private final LongSupplier nanoClock;

	private final Consumer<String> log;

	private final AtomicLong next;

	FailOpenLog(Policies policies) {
		this(policies, System::nanoTime, (warning) -> LOGGER.log(Level.WARNING, warning));
	}

	FailOpenLog(Policies policies, LongSupplier nanoClock, Consumer<String> log) {
		this.policies = policies;
		this.nanoClock = nanoClock;
		this.log = log;
		this.next = new AtomicLong(nanoClock.getAsLong());
	}

	/**
	 * Records that a policy let a call through.
	 * @param failure why the store did not decide the call
	 */
	void letThrough(RateLimitStore store, Kind failure) {
		long now = this.nanoClock.getAsLong();
		long due = this.next.get();
		if (now - due >= 0 && this.next.compareAndSet(due, now + PAUSE)) {
			this.log.accept("Calls are NOT limited by these policies, as " + store.description() + " does not decide ("
					+ cause(store, failure) + ") and their 'on-store-failure' is 'allow': " + names()
					+ ". To limit them meanwhile, set it to 'local' or 'deny'");
		}
	}

	/** Returns why the store does not decide: what made the breaker open, if it is. */
	private static String cause(RateLimitStore store, Kind failure) {
		StoreFailure last = store.lastFailure();
		return (last != null && (failure == Kind.OPEN || failure == last.kind())) ? last.reason() : failure.id();
	}

	private String names() {
		return this.policies.all()
			.stream()
			.filter((policy) -> policy.options().onStoreFailure() == OnStoreFailure.ALLOW)
			.map(Policy::name)
			.limit(MOST_NAMES)
			.collect(Collectors.joining(", "));
	}

}
