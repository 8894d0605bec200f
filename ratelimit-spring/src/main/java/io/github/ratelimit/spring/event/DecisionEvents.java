package io.github.ratelimit.spring.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A listener that publishes application events about denied calls, and about admitted
 * calls that a limit in shadow would deny or that are near their limit, and logs them.
 * Thread-safe.
 */
public final class DecisionEvents implements RateLimitListener {

	private static final Log logger = LogFactory.getLog(DecisionEvents.class);

	private final Consumer<Object> publisher;

	private final KeySampler denied;

	private final KeySampler shadowDenied;

	private final KeySampler approached;

	private final Thresholds thresholds;

	private final DenialLogLevel logLevel;

	/**
	 * Creates a listener.
	 * @param publisher publishes events
	 * @param interval the time between two events of a key
	 * @param thresholds the parts of limits from which a call is near them
	 * @param logLevel the level of log lines
	 * @param millis a time in milliseconds that never goes back and starts near zero
	 */
	public DecisionEvents(Consumer<Object> publisher, Duration interval, Thresholds thresholds, DenialLogLevel logLevel,
			LongSupplier millis) {
		this.publisher = publisher;
		this.denied = new KeySampler(interval, millis);
		this.shadowDenied = new KeySampler(interval, millis);
		this.approached = new KeySampler(interval, millis);
		this.thresholds = thresholds;
		this.logLevel = logLevel;
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		if (!decision.allowed()) {
			List<LimitDecision> limits = decision.limits();
			charges.forEach((charge) -> deny(charge, limit(charge, limits, (limit) -> !limit.allowed())));
			return;
		}
		List<LimitDecision> shadows = decision.shadows();
		if (!shadows.isEmpty()) {
			charges.forEach((charge) -> denyInShadow(charge, limit(charge, shadows, (limit) -> !limit.allowed())));
		}
		if (!this.thresholds.isEmpty()) {
			List<LimitDecision> limits = decision.limits();
			charges.forEach((charge) -> approach(charge, limits));
		}
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		if (instead != null) {
			decided(charges, instead, elapsedNanos);
		}
	}

	private void deny(Charge charge, @Nullable LimitDecision limit) {
		if (limit != null && this.denied.tryTake(charge.policy(), charge.key())) {
			log(() -> denial("denies", charge.key(), limit));
			this.publisher.accept(new RateLimitDenied(charge.policy(), charge.key(), limit));
		}
	}

	private void denyInShadow(Charge charge, @Nullable LimitDecision limit) {
		if (limit != null && this.shadowDenied.tryTake(charge.policy(), charge.key())) {
			log(() -> denial("in shadow would deny", charge.key(), limit));
			this.publisher.accept(new RateLimitShadowDenied(charge.policy(), charge.key(), limit));
		}
	}

	private void approach(Charge charge, List<LimitDecision> limits) {
		int reached = this.thresholds.reached(charge.policy(), charge.key(), limits);
		LimitDecision limit = (reached > 0) ? limit(charge, limits, (each) -> each.isUsed(reached)) : null;
		if (limit != null && this.approached.tryTake(charge.policy(), reached + "% of " + charge.key(),
				TimeUnit.MICROSECONDS.toMillis(limit.resetAfterMicros()))) {
			log(() -> approach(charge.key(), limit, reached));
			this.publisher.accept(new RateLimitApproached(charge.policy(), charge.key(), limit, reached));
		}
	}

	/** Logs a line with a digest of the key, which may be personal data. */
	private void log(Supplier<String> line) {
		if (this.logLevel == DenialLogLevel.INFO) {
			logger.info(line.get());
		}
		else if (this.logLevel == DenialLogLevel.DEBUG && logger.isDebugEnabled()) {
			logger.debug(line.get());
		}
	}

	private static String approach(String key, LimitDecision limit, int reached) {
		return "Policy '" + limit.policy() + "' is at " + reached + "% of its limit for " + KeyDigest.inPlaceOf(key)
				+ ": " + limit.limit() + " has " + limit.remaining() + " permits left";
	}

	private static String denial(String denies, String key, LimitDecision limit) {
		String denial = "Policy '" + limit.policy() + "' " + denies + " " + KeyDigest.inPlaceOf(key) + ": "
				+ limit.limit();
		return limit.limit().isConcurrency() ? denial + " has room when a call ends"
				: denial + " has room in " + Duration.ofNanos(limit.retryAfterMicros() * 1000).toMillis() + " ms";
	}

	private static @Nullable LimitDecision limit(Charge charge, List<LimitDecision> limits,
			Predicate<LimitDecision> condition) {
		for (LimitDecision limit : limits) {
			if (limit.isOf(charge.policy(), charge.key()) && condition.test(limit)) {
				return limit;
			}
		}
		return null;
	}

}
