package io.github.ratelimit.gateway;

import java.util.Locale;
import java.util.stream.Stream;

import io.github.ratelimit.CoveringArray;

/**
 * A combination of features of a route, with what the documentation says that a request
 * spends.
 *
 * @param flavour the kind of gateway
 * @param limited the policy
 * @param pays how the response changes what the request pays
 * @param door the filters and rules that decide the request
 * @param answer the answer of the upstream
 */
record GatewayRow(Flavour flavour, Limited limited, Pays pays, Door door, Answer answer) {

	/** The permits that a request reserves. */
	static final long COST = 3;

	/** The kind of gateway. */
	enum Flavour {

		WEBFLUX, WEBMVC

	}

	/** The policy. */
	enum Limited {

		RATE("100/1h"), CALENDAR("100/1d fixed-window align day"), SLOT("100/1h, 2 concurrent"),
		SLOT_ALONE("2 concurrent"), SHADOW("100/1h"), SHADOW_IS_LOWER("2/1h"), SHADOW_IS_FULL("10/1h"),
		CANDIDATE("100/1h"), OFF("100/1h"), FULL("10/1h");

		private final String limits;

		Limited(String limits) {
			this.limits = limits;
		}

		String policy() {
			return "pairs-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		/** Returns the properties of the policy. */
		Stream<String> properties() {
			String policy = "ratelimit.policies." + policy() + ".";
			Stream<String> common = Stream.of(policy + "limits=" + this.limits, policy + "key=header:X-Client");
			return switch (this) {
				case SHADOW, SHADOW_IS_LOWER, SHADOW_IS_FULL ->
					Stream.concat(common, Stream.of(policy + "mode=shadow"));
				case CANDIDATE -> Stream.concat(common, Stream.of(policy + "candidate=50/1h"));
				case OFF -> Stream.concat(common, Stream.of(policy + "mode=off"));
				default -> common;
			};
		}

		/** Returns what the client has spent before. */
		long before() {
			return (this == SHADOW_IS_FULL || this == FULL) ? 8 : 0;
		}

		private boolean isCharged() {
			return this != SHADOW_IS_FULL && this != FULL;
		}

	}

	/** How the response changes what a request pays. */
	enum Pays {

		ALWAYS(""), ACTUAL("actual=#response.status == 404 ? 1 : 5"),
		CHARGE_WHEN("charge-when=#response.status == 404"), REFUND_WHEN("refund-when=#response.status == 404");

		private final String argument;

		Pays(String argument) {
			this.argument = argument;
		}

		/** Returns the arguments of the filter. */
		Stream<String> arguments() {
			return Stream.of("cost=" + COST, this.argument).filter((argument) -> !argument.isEmpty());
		}

		long paid(boolean missing) {
			return switch (this) {
				case ALWAYS -> COST;
				case ACTUAL -> missing ? 1 : 5;
				case CHARGE_WHEN -> missing ? COST : 0;
				case REFUND_WHEN -> missing ? 0 : COST;
			};
		}

	}

	/** The filters and rules that decide a request. */
	enum Door {

		FILTER, FILTER_AND_RULE

	}

	/** The answer of the upstream. */
	enum Answer {

		FOUND, MISSING, SILENT, STREAM, CUT, GONE;

		/** Returns whether the response waits after it has begun. */
		boolean isStream() {
			return this == STREAM || this == CUT || this == GONE;
		}

	}

	/** Returns all rows. */
	static Stream<GatewayRow> all() {
		return CoveringArray.pairs(GatewayRow.class, (values) -> true).stream();
	}

	/** Returns the path of the route, without its end. */
	static String path(Limited limited, Pays pays) {
		return "/" + limited.policy() + "/" + pays.name().toLowerCase(Locale.ROOT);
	}

	/** Returns the path of the request. */
	String path() {
		return path(this.limited, this.pays) + ((this.door == Door.FILTER) ? "/plain/" : "/ruled/")
				+ ((this.answer == Answer.GONE) ? Answer.STREAM : this.answer).name().toLowerCase(Locale.ROOT);
	}

	boolean isDenied() {
		return this.limited == Limited.FULL;
	}

	/** Returns what rates of the policy count before the end of the response. */
	long reserved() {
		return this.limited.before() + (this.limited.isCharged() ? charged(COST) : 0);
	}

	/** Returns what rates of the policy count after the response. */
	long spent() {
		long paid = this.pays.paid(this.answer == Answer.MISSING);
		return this.limited.before() + (this.limited.isCharged() ? charged(paid) : 0);
	}

	/** Returns what the policy of the rule counts after the response. */
	long spentOfRule() {
		return (this.door == Door.FILTER_AND_RULE && this.answer == Answer.MISSING && !isDenied()) ? 2 : 0;
	}

	/** A limit in shadow is charged no more than it can ever admit. */
	private long charged(long cost) {
		return (this.limited == Limited.SHADOW_IS_LOWER) ? Math.min(cost, 2) : cost;
	}

}
