package io.github.ratelimit.store.shared;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * The number of instances that share a store. Each holds a permit of a limit on
 * concurrency. It renews the permit every ten seconds, and learns from the reply how many
 * are held. The permit of an instance that has died returns when its lease ends.
 *
 * <p>
 * The highest number of the last looks applies. So it stays right while instances take
 * their permits again after the store has lost them, and an instance that has gone counts
 * for at most a lease and these looks longer. While the store fails there are no looks,
 * and the number stays what it was. Thread-safe.
 */
public final class InstanceCount {

	private static final Logger LOGGER = System.getLogger(InstanceCount.class.getName());

	/** A name that no policy can have. */
	private static final String COUNTER = "~instances";

	private static final PolicyLimit LIMIT = new PolicyLimit(COUNTER, COUNTER, 0,
			Limit.parse("1000000 concurrent lease 30s"), 0);

	private static final PermitRequest PERMIT = new PermitRequest(LIMIT, COUNTER, 1, 0);

	/** The time between two looks, a third of the lease. */
	static final long PERIOD = TimeUnit.SECONDS.toNanos(10);

	/** The number of looks that are remembered. */
	static final int LOOKS = 4;

	private final Function<StoreRequest, Decision> store;

	private final LongSupplier nanoClock;

	private final int[] looks = new int[LOOKS];

	private int nextLook;

	private long dueAt;

	/** The time of the charge or of the last renewal, by the store; 0 for no permit. */
	private long chargedAt;

	private volatile BooleanSupplier wanted = () -> false;

	private volatile int known = 1;

	/**
	 * Creates the count of an instance that knows only itself.
	 * @param store executes requests, or throws
	 * @param nanoClock the monotonic clock of this instance, in nanoseconds
	 */
	public InstanceCount(Function<StoreRequest, Decision> store, LongSupplier nanoClock) {
		this.store = store;
		this.nanoClock = nanoClock;
		this.dueAt = nanoClock.getAsLong();
	}

	/**
	 * Counts instances from now on.
	 * @param wanted whether anything uses the number at the moment
	 */
	public void countWhile(BooleanSupplier wanted) {
		this.wanted = wanted;
	}

	/**
	 * Returns the number of instances that were last known.
	 * @return at least 1
	 */
	public int known() {
		return this.known;
	}

	/**
	 * Looks, if that is due.
	 * @throws RuntimeException if the store fails; the next look is then due
	 */
	public synchronized void lookIfDue() {
		long now = this.nanoClock.getAsLong();
		if (now - this.dueAt >= 0 && this.wanted.getAsBoolean()) {
			look();
			this.dueAt = now + PERIOD;
		}
	}

	private void look() {
		long held = LIMIT.limit().burst() - hold().limits().get(0).remaining();
		this.looks[this.nextLook++ % LOOKS] = (int) held;
		this.known = Math.max(1, IntStream.of(this.looks).max().orElse(1));
	}

	/** Renews the permit of this instance, or takes one if it has none or has lost it. */
	private Decision hold() {
		if (this.chargedAt != 0) {
			Decision renewed = execute(StoreOperation.RENEW, PERMIT.refund(1, this.chargedAt));
			this.chargedAt = renewed.allowed() ? renewed.storeTimeMicros() : 0;
			if (renewed.allowed()) {
				return renewed;
			}
		}
		Decision taken = execute(StoreOperation.ACQUIRE, PERMIT);
		this.chargedAt = taken.storeTimeMicros();
		return taken;
	}

	/** Gives the permit of this instance back, as far as the store replies. */
	public synchronized void release() {
		if (this.chargedAt == 0) {
			return;
		}
		try {
			execute(StoreOperation.REFUND, PERMIT.refund(1, this.chargedAt));
		}
		catch (RuntimeException ex) {
			LOGGER.log(Level.DEBUG, "Other instances will find out later that this one has gone", ex);
		}
		this.chargedAt = 0;
	}

	private Decision execute(StoreOperation operation, PermitRequest permit) {
		return this.store.apply(StoreRequest.of(operation, permit));
	}

}
