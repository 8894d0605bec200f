package io.github.ratelimit.pairs;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.ratelimit.pairs.Part.Source;
import io.github.ratelimit.pairs.Row.Event;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.pairs.Row.Kind;

/**
 * The promises of the documentation to the callers and operators of a row's application.
 */
final class Model {

	private final Row row;

	private final Counts store;

	private final Counts local;

	private final Count grant;

	private final Map<String, Long> requests = new TreeMap<>();

	private final Set<String> denied = new TreeSet<>();

	private final Map<String, Consumed> consumed = new TreeMap<>();

	private boolean failing;

	private boolean banned;

	Model(Row row) {
		this.row = row;
		this.store = new Counts(row.feature());
		this.local = new Counts(row.feature());
		this.grant = new Count((row.feature() == Feature.GRANT) ? 4 : 0);
	}

	/** Returns whether the application does not start. */
	boolean isRefused() {
		return switch (this.row.kind()) {
			case SLIDING_COUNTER, SLIDING_LOG -> this.row.feature() == Feature.PREFETCH;
			case CONCURRENCY -> this.row.feature() == Feature.PREFETCH || this.row.feature() == Feature.CLAMP;
			default -> false;
		};
	}

	/** Begins or ends a failure of the store. */
	void fail(boolean failing) {
		this.failing = failing;
	}

	/** Begins or ends a ban of the varied charge. */
	void ban(boolean banned) {
		this.banned = banned;
	}

	/** Spends all permits of the varied charge in code, and returns how many. */
	long spendAll() {
		long permits = counts().of(this.row.varied()).remaining();
		for (long spent = 0; spent < permits; spent++) {
			if (this.row.feature() == Feature.OFF) {
				note(this.row.varied(), "skipped");
			}
			else {
				spend(this.row.varied(), 1);
				consume(this.row.varied(), 1, 1);
			}
		}
		return permits;
	}

	/** Returns a permit of the varied charge, which code has held. */
	void releaseOne() {
		counts().of(this.row.varied()).add(-1);
	}

	/** Ends all calls. */
	void release() {
		if (this.row.kind() == Kind.CONCURRENCY) {
			this.store.release();
		}
	}

	/** Decides a request, serves it and ends it. */
	Expected send(Request request) {
		List<Part> parts = this.row.door().parts();
		List<Part> rules = parts.stream().filter((part) -> part.source() == Source.RULE).toList();
		ModelCall call = new ModelCall(this.row, this, request);
		return call.decide((request == Request.UNBINDABLE && this.row.isDecidedAtCall()) ? rules : parts);
	}

	/** Returns what is left of a charge, by enforced limits and limits in shadow. */
	List<Long> remaining(Part part) {
		if ((part.isVaried() && this.row.feature() == Feature.OFF) || isUndecided(part) || isBanned(part)) {
			return List.of();
		}
		long remaining = counts().of(part).remaining();
		return hasCandidate(part) ? List.of(remaining, counts().candidate(part).remaining()) : List.of(remaining);
	}

	/** Returns the charges by policy and outcome. */
	Map<String, Long> requests() {
		return this.requests;
	}

	/**
	 * Returns the charges that were denied or would have been but for the shadow, each of
	 * which has one event, by outcome, policy and key.
	 */
	Set<String> denied() {
		return this.denied;
	}

	/** Returns what admitted calls have consumed, by policy and key. */
	Map<String, Consumed> consumed() {
		return this.consumed;
	}

	/**
	 * Adds to what admitted calls have consumed, whatever limits or grants they spend.
	 */
	void consume(Part part, long permits, long calls) {
		this.consumed.merge(part.policy() + " " + part.key(), new Consumed(permits, calls), Consumed::plus);
	}

	/**
	 * Returns how many warnings are logged: of a penalty for a key that clients choose,
	 * and of calls that are not limited as the store fails.
	 */
	int warnings() {
		boolean open = this.requests.keySet().stream().anyMatch((charges) -> charges.endsWith("failed_open"));
		return ((this.row.feature() == Feature.PENALTY) ? 1 : 0) + (open ? 1 : 0);
	}

	/** Returns the counts that decide now. */
	Counts counts() {
		return this.failing ? this.local : this.store;
	}

	Count grant() {
		return this.grant;
	}

	boolean isFailing() {
		return this.failing;
	}

	/** Returns whether neither the store nor the instance decides a charge. */
	boolean isUndecided(Part part) {
		return this.failing && this.row.event() != Event.STORE_FAILS_LOCAL && !isShadow(part);
	}

	/** Returns whether an operator has banned the key of a charge. */
	boolean isBanned(Part part) {
		return this.banned && part.equals(this.row.varied());
	}

	/**
	 * Returns whether a charge is in shadow. Of the keys, only that of most calls is
	 * within the enforced share.
	 */
	boolean isShadow(Part part) {
		return switch (this.row.feature()) {
			case SHADOW -> part.isVaried();
			case SHADOW_FOR_ALL -> true;
			case ENFORCED_SHARE -> part.isVaried() && !part.key().equals(Row.ALICE);
			default -> false;
		};
	}

	boolean hasCandidate(Part part) {
		return part.isVaried() && this.row.feature() == Feature.CANDIDATE;
	}

	/**
	 * Spends permits for which a limit has room. Returns whether the candidate has, too.
	 */
	boolean spend(Part part, long cost) {
		counts().of(part).add(cost);
		if (hasCandidate(part)) {
			if (!counts().candidate(part).hasRoom(cost)) {
				note(part, "shadow_denied");
				return false;
			}
			counts().candidate(part).add(cost);
		}
		note(part, this.failing ? "fallback_allowed" : "allowed");
		return true;
	}

	/** Notes the outcome of a charge. */
	void note(Part part, String outcome) {
		if (outcome.equals("denied") || outcome.equals("shadow_denied")) {
			this.denied.add(outcome + " " + part.policy() + " " + part.key());
		}
		this.requests.merge(part.policy() + " " + outcome, 1L, Long::sum);
	}

}
