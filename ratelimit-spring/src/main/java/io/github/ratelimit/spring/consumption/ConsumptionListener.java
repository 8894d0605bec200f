package io.github.ratelimit.spring.consumption;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A listener that adds up what the calls of each key spend of each policy, in intervals
 * that begin on the clock. An adjustment or refund belongs to the interval in which it is
 * made. Thread-safe.
 */
public final class ConsumptionListener implements RateLimitListener, AutoCloseable {

	private static final Duration LAST_DELIVERY = Duration.ofSeconds(5);

	private final Policies policies;

	private final ConsumptionDelivery delivery;

	private final Duration interval;

	private final int maxKeys;

	private final InstantSource clock;

	private IntervalTotals current;

	/**
	 * Creates a listener.
	 * @param policies the policies, which may clamp costs
	 * @param delivery receives the sums of an interval after it has ended
	 * @param interval the length of an interval, a part of a day
	 * @param maxKeys the most keys of an interval that are counted one by one
	 * @param clock the time
	 */
	public ConsumptionListener(Policies policies, ConsumptionDelivery delivery, Duration interval, int maxKeys,
			InstantSource clock) {
		this.policies = policies;
		this.delivery = delivery;
		this.interval = interval;
		this.maxKeys = maxKeys;
		this.clock = clock;
		this.current = new IntervalTotals(start(), interval, maxKeys);
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		if (!decision.allowed()) {
			return;
		}
		for (int i = 0; i < charges.size(); i++) {
			Charge charge = charges.get(i);
			add(charge, this.policies.get(charge.policy()).clamped(charge.cost()), isFirst(charges, i) ? 1 : 0);
		}
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		if (instead != null) {
			decided(charges, instead, elapsedNanos);
		}
	}

	@Override
	public void adjusted(Charge charge, long difference) {
		add(charge, difference, 0);
	}

	/** Delivers what earlier intervals have counted. */
	public void deliver() {
		endCurrent(false);
		this.delivery.deliver();
	}

	/**
	 * Delivers what the current interval has counted too, as no more calls come. Returns
	 * after five seconds if the sink still receives it.
	 */
	public void deliverAll() {
		endCurrent(true);
		this.delivery.deliverWithin(LAST_DELIVERY);
	}

	/** Reports what was counted, but not delivered before the end. */
	@Override
	public void close() {
		endCurrent(true);
		this.delivery.close();
	}

	private synchronized void add(Charge charge, long permits, int calls) {
		endCurrent(false);
		this.current.add(charge.policy(), charge.key(), permits, calls);
	}

	private synchronized void endCurrent(boolean anyway) {
		long start = start();
		if (anyway || start != this.current.from()) {
			this.delivery.add(this.current);
			this.current = new IntervalTotals(start, this.interval, this.maxKeys);
		}
	}

	private long start() {
		long now = this.clock.millis();
		return now - Math.floorMod(now, this.interval.toMillis());
	}

	/** Returns whether no earlier charge of the call is of the same policy and key. */
	private static boolean isFirst(List<Charge> charges, int index) {
		Charge charge = charges.get(index);
		for (int i = 0; i < index; i++) {
			if (charges.get(i).policy().equals(charge.policy()) && charges.get(i).key().equals(charge.key())) {
				return false;
			}
		}
		return true;
	}

}
