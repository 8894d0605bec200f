package io.github.ratelimit.autoconfigure.store;

import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.store.StoreChoice.Basis;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.store.RateLimitStore;

/**
 * A check for a store of the application that instances may share, while controls are in
 * the memory of each.
 *
 * @param choice the stores that were chosen
 * @param store the store of counts
 * @param hasOwnControls whether the application has a store of controls
 */
record UnsharedControls(StoreChoice choice, RateLimitStore store, boolean hasOwnControls) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return (this.choice.basis() != Basis.OWN_STORE || this.store.isInProcess() || this.hasOwnControls)
				? Stream.empty()
				: Stream.of(new Finding(Kind.UNSHARED_CONTROLS, this.store.name(), "Instances may share the store '"
						+ this.store.name() + "' of the application, but not controls "
						+ "such as bans, nor top keys: each instance keeps its own in memory. Add a ControlStore "
						+ "bean and a TopExchange bean, set 'ratelimit.store' to the store that keeps both, or "
						+ "set it to 'memory' if this is meant."));
	}

}
