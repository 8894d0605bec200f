package io.github.ratelimit.spring.metrics;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The documented {@link KeyName key names} of observed decisions.
 */
public enum RateLimitObservationDocumentation implements ObservationDocumentation {

	/** A decision of the store on the charges of one call. */
	DECISION;

	@Override
	public String getName() {
		return "ratelimit.decision";
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinalityKeyNames.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return HighCardinalityKeyNames.values();
	}

	/** The keys that become tags of meters. */
	public enum LowCardinalityKeyNames implements KeyName {

		/** The name of the store. */
		STORE,

		/**
		 * The worst outcome of the call's charges, as in {@code ratelimit.requests};
		 * {@code unknown} while it is open.
		 */
		OUTCOME,

		/** The first policy with that outcome. */
		POLICY;

		@Override
		public String asString() {
			return key(this);
		}

	}

	/** The keys that only traces contain. */
	public enum HighCardinalityKeyNames implements KeyName {

		/** All policies that the call charges, separated by commas. */
		POLICIES;

		@Override
		public String asString() {
			return key(this);
		}

	}

	private static String key(Enum<?> name) {
		return name.name().toLowerCase(Locale.ROOT);
	}

}
