package io.github.ratelimit;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;

/**
 * A combination of features of a detached reservation.
 *
 * @param kind the kind of limit
 * @param feature the feature of the policy
 * @param keys the charges
 * @param meanwhile what happens before the reservation is settled
 * @param settles how it is settled
 * @param by the instance that settles it
 * @param style how operations are called
 */
record DetachedRow(Kind kind, Feature feature, Keys keys, Meanwhile meanwhile, Settles settles, By by,
		CallStyle style) {

	/** The kind of limit. */
	enum Kind {

		TOKEN_BUCKET("%d/30d token-bucket"), LEAKY_BUCKET("%d/30d leaky-bucket burst %1$d"),
		FIXED_WINDOW("%d/30d fixed-window"), CALENDAR_WINDOW("%d/30d fixed-window align month"),
		SLIDING_COUNTER("%d/30d sliding-window-counter"), SLIDING_LOG("%d/30d sliding-window-log"),
		TWO_LIMITS("%d/30d token-bucket", "%d/20d fixed-window"), HELD("%d/30d fixed-window", "5 concurrent lease 1h");

		private final List<String> formats;

		Kind(String... formats) {
			this.formats = List.of(formats);
		}

		/** Returns limits of so many permits. */
		List<Limit> limits(long permits) {
			return this.formats.stream()
				.map((format) -> Limit.parse(format.formatted(permits), Algorithm.TOKEN_BUCKET))
				.toList();
		}

		private boolean canPrefetch() {
			return switch (this) {
				case TOKEN_BUCKET, LEAKY_BUCKET, FIXED_WINDOW, CALENDAR_WINDOW, TWO_LIMITS -> true;
				case SLIDING_COUNTER, SLIDING_LOG, HELD -> false;
			};
		}

	}

	/** The feature of the policy. */
	enum Feature {

		NONE, PLAN, OVERRIDE, SHARES, CLAMP, PREFETCH, GRANT, SHADOW, SHADOW_IS_FULL, CANDIDATE, CANDIDATE_IS_FULL

	}

	/** The charges. */
	enum Keys {

		ONE, TWICE, TWO_KEYS, TWO_POLICIES, EVERYONE, EXEMPT_TOO, PART;

		/** Returns the charges of a call. */
		List<Charge> charges() {
			Charge first = new Charge("row", key(), 4);
			return switch (this) {
				case ONE, EVERYONE -> List.of(first);
				case TWICE -> List.of(first, first);
				case TWO_KEYS -> List.of(first, new Charge("row", "b", 4));
				case TWO_POLICIES -> List.of(first, new Charge("plain", "a", 4));
				case EXEMPT_TOO -> List.of(Charge.exempt("plain"), first);
				case PART -> List.of(first, first, new Charge("row", "b", 4));
			};
		}

		/** Returns the first key of the policy with the features of a row. */
		String key() {
			return (this == EVERYONE) ? "global" : "a";
		}

	}

	/** An event between the charge and its settlement. */
	enum Meanwhile {

		NOTHING, DENIED, BANNED, LIMITS_CHANGED, ALGORITHM_CHANGED, RESET, STORE_FAILED_BEFORE, STORE_FAILS

	}

	/** How the reservation is settled. */
	enum Settles {

		REFUND, LESS, MORE, SAME, TWICE, EXPIRES

	}

	/** The instance that settles the reservation. */
	enum By {

		SAME, OTHER

	}

	/** Returns rows with all pairs of values. */
	static Stream<DetachedRow> all() {
		return CoveringArray.pairs(DetachedRow.class, DetachedRow::isPossible).stream();
	}

	/**
	 * Returns whether values can be in one row. What was charged in memory is settled in
	 * the same process only. What a timer refunds may be refunded before or after what
	 * happens meanwhile.
	 */
	private static boolean isPossible(Set<Enum<?>> values) {
		boolean prefetches = Arrays.stream(Kind.values())
			.filter(values::contains)
			.allMatch((kind) -> kind.canPrefetch() || !values.contains(Feature.PREFETCH));
		return prefetches && Stream
			.<Set<Enum<?>>>of(Set.of(Kind.HELD, Feature.CLAMP), Set.of(Meanwhile.STORE_FAILED_BEFORE, By.OTHER),
					Set.of(Meanwhile.STORE_FAILS, Settles.EXPIRES), Set.of(Meanwhile.DENIED, Settles.EXPIRES),
					Set.of(Meanwhile.ALGORITHM_CHANGED, Settles.EXPIRES),
					Set.of(Meanwhile.ALGORITHM_CHANGED, Feature.OVERRIDE),
					Set.of(Meanwhile.ALGORITHM_CHANGED, Feature.PREFETCH))
			.noneMatch(values::containsAll);
	}

}
