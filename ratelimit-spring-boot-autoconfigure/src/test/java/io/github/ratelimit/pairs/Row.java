package io.github.ratelimit.pairs;

import java.util.List;

import io.github.ratelimit.pairs.Part.Source;

/**
 * A combination of features: one application and what happens to its callers.
 *
 * @param stack the web stack
 * @param store the store of counts
 * @param door the place where a request is limited
 * @param returns what the controller method returns
 * @param kind the kind of limit
 * @param feature the feature of the policy
 * @param outcome how the outcome of a call changes what it pays
 * @param event what happens
 */
record Row(Stack stack, Store store, Door door, Returns returns, Kind kind, Feature feature, Outcome outcome,
		Event event) {

	/** The caller of most calls, as the policies know it. */
	static final String ALICE = "header:x-caller:alice";

	/** The web stack. */
	enum Stack {

		SERVLET, REACTIVE

	}

	/** The store of counts. */
	enum Store {

		MEMORY, REDIS

	}

	/** The place where a request is limited. */
	enum Door {

		METHOD(new Part("row", ALICE, Source.METHOD)),

		ARGUMENT(new Part("row", "expression:alice", Source.METHOD)),

		CLASS_AND_METHOD(new Part("row", ALICE, Source.CLASS), new Part("other", ALICE, Source.METHOD)),

		REPEATED(new Part("row", ALICE, Source.METHOD), new Part("other", ALICE, Source.METHOD)),

		TWO_KEYS(new Part("row", ALICE, Source.METHOD), new Part("row", "header:x-second:bob", Source.METHOD)),

		RULE(new Part("row", ALICE, Source.RULE)),

		EARLY_RULE(new Part("row", ALICE, Source.RULE)),

		ROUTE(new Part("row", ALICE + " + route:GET /row", Source.METHOD)),

		ROUTE_OF_RULE(new Part("row", ALICE + " + route:/row", Source.RULE)),

		RULE_AND_METHOD(new Part("other", ALICE, Source.RULE), new Part("row", ALICE, Source.METHOD));

		private final List<Part> parts;

		Door(Part... parts) {
			this.parts = List.of(parts);
		}

		/** Returns what a request is charged. */
		List<Part> parts() {
			return this.parts;
		}

		/** Returns whether the varied policy is charged by a rule. */
		boolean isRule() {
			return this == RULE || this == EARLY_RULE || this == ROUTE_OF_RULE;
		}

		/** Returns the key of the varied policy. */
		String key() {
			return "header:X-Caller" + ((this == ROUTE || this == ROUTE_OF_RULE) ? " + route" : "");
		}

	}

	/** The kind of return type of the controller method. */
	enum Returns {

		VALUE, MONO, FLUX, FUTURE, CALLABLE, DEFERRED;

		boolean isReactive() {
			return this == MONO || this == FLUX;
		}

		boolean isOfServlets() {
			return this == CALLABLE || this == DEFERRED;
		}

	}

	/** The kind of limit. */
	enum Kind {

		TOKEN_BUCKET("/30d token-bucket"), LEAKY_BUCKET("/30d leaky-bucket burst "), FIXED_WINDOW("/30d fixed-window"),
		CALENDAR_WINDOW("/30d fixed-window align month"), SLIDING_COUNTER("/30d sliding-window-counter"),
		SLIDING_LOG("/30d sliding-window-log"), CONCURRENCY(" concurrent");

		private final String suffix;

		Kind(String suffix) {
			this.suffix = suffix;
		}

		/** Returns a limit as it is configured. */
		String limit(long permits) {
			return permits + this.suffix + ((this == LEAKY_BUCKET) ? permits : "");
		}

	}

	/** The feature of the policy. */
	enum Feature {

		NONE, PLAN, OVERRIDE, SCHEDULE, SHARES, CANDIDATE, SHADOW, SHADOW_FOR_ALL, ENFORCED_SHARE, OFF, EXEMPT, CLAMP,
		MAX_WAIT, PREFETCH, GRANT, PENALTY;

		/** Returns whether the policy charges callers nothing. */
		boolean isUnlimited() {
			return this == OFF || this == EXEMPT;
		}

	}

	/** How the outcome of a call changes what it pays. */
	enum Outcome {

		NONE, ACTUAL, CHARGE_ON, CHARGE_WHEN, REFUND_ON, REFUND_WHEN;

		/** Returns whether only annotations have it. */
		boolean isOfAnnotations() {
			return this == CHARGE_ON || this == REFUND_ON;
		}

	}

	/** An event between calls. */
	enum Event {

		ADMITTED, DENIED, WAITS, THROWS, UNBINDABLE, STORE_FAILS_ALLOW, STORE_FAILS_DENY, STORE_FAILS_LOCAL, BANNED,
		BLOCKED;

		boolean isStoreFailure() {
			return name().startsWith("STORE_FAILS");
		}

	}

	/** Returns the first charge of the policy with the features of the row. */
	Part varied() {
		return this.door.parts().stream().filter(Part::isVaried).findFirst().orElseThrow();
	}

	/** Reads a row as {@link #toString} writes it. */
	static Row parse(String text) {
		String[] values = text.split(" ", -1);
		return new Row(Stack.valueOf(values[0]), Store.valueOf(values[1]), Door.valueOf(values[2]),
				Returns.valueOf(values[3]), Kind.valueOf(values[4]), Feature.valueOf(values[5]),
				Outcome.valueOf(values[6]), Event.valueOf(values[7]));
	}

	/**
	 * Returns whether the limits of the method are decided only when it is called, after
	 * its arguments are bound.
	 */
	boolean isDecidedAtCall() {
		if (this.door.isRule()) {
			return false;
		}
		return this.door == Door.ARGUMENT || this.outcome != Outcome.NONE
				|| (this.stack == Stack.SERVLET && this.returns.isReactive() && this.feature == Feature.MAX_WAIT);
	}

	@Override
	public String toString() {
		return this.stack + " " + this.store + " " + this.door + " " + this.returns + " " + this.kind + " "
				+ this.feature + " " + this.outcome + " " + this.event;
	}

}
