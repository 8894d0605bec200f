package io.github.ratelimit.detached;

import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A correction of one detached charge, which is reported once the store has made it.
 */
final class Correction implements Function<DetachedCharge, StoreRequest> {

	private final ToLongFunction<DetachedCharge> actual;

	private final ObjLongConsumer<DetachedCharge> corrected;

	private volatile @Nullable Found found;

	/**
	 * Creates a correction.
	 * @param actual returns what a charge actually costs
	 * @param corrected receives the charge if it was corrected, and by how much
	 */
	Correction(ToLongFunction<DetachedCharge> actual, ObjLongConsumer<DetachedCharge> corrected) {
		this.actual = actual;
		this.corrected = corrected;
	}

	@Override
	public StoreRequest apply(DetachedCharge charge) {
		long cost = this.actual.applyAsLong(charge);
		this.found = new Found(charge, cost - charge.cost());
		return charge.correctedTo(cost);
	}

	/** Reports the correction if it was made now. */
	Settlement settled(Settlement settlement) {
		Found made = this.found;
		if (settlement == Settlement.SETTLED && made != null) {
			this.corrected.accept(made.charge(), made.difference());
		}
		return settlement;
	}

	/** A charge that the store has found, and its correction. */
	private record Found(DetachedCharge charge, long difference) {

	}

}
