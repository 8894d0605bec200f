package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.DetachedRow.By;
import io.github.ratelimit.DetachedRow.Feature;
import io.github.ratelimit.DetachedRow.Kind;
import io.github.ratelimit.DetachedRow.Meanwhile;
import io.github.ratelimit.DetachedRow.Settles;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * Two instances of an application in which a row takes place.
 */
final class DetachedSide implements AutoCloseable {

	private static final long MOST = 30;

	private final DetachedRow row;

	private final Supplier<RateLimitStore> stores;

	private final Adjustments adjustments = new Adjustments();

	private final Policies policies;

	private final FailingStore store;

	private final FailingStore settlingStore;

	private final RateLimiter one;

	/** The instance that settles the reservation. */
	private final RateLimiter settling;

	/** Creates instances in which three permits of each key are spent. */
	DetachedSide(DetachedRow row, Supplier<RateLimitStore> stores) {
		this.row = row;
		this.stores = stores;
		this.policies = new Policies(policies(row.kind(), MOST));
		this.store = new FailingStore(stores.get());
		this.one = limiter(this.store);
		boolean isOther = row.by() == By.OTHER && row.settles() != Settles.EXPIRES;
		this.settlingStore = isOther ? new FailingStore(stores.get()) : this.store;
		this.settling = isOther ? limiter(this.settlingStore) : this.one;
		charges().forEach((charge) -> this.one.release(reserve(charge.costing(3))));
		if (row.feature() == Feature.GRANT) {
			spendAll();
			this.policies.control(controls(false));
		}
	}

	private RateLimiter limiter(RateLimitStore store) {
		LimitOverrides overrides = (policy, key) -> (this.row.feature() == Feature.OVERRIDE && policy.equals("row"))
				? this.row.kind().limits(MOST + 5) : List.of();
		return new RateLimiter(this.policies, store, new MemoryRateLimitStore(1000), List.of(this.adjustments),
				overrides);
	}

	private List<Policy> policies(Kind kind, long most) {
		return List.of(new Policy("plain", Kind.FIXED_WINDOW.limits(MOST), List.of("principal")),
				new Policy("base", kind.limits(most), List.of("principal")), policy(kind, most));
	}

	private Policy policy(Kind kind, long most) {
		Policy policy = new Policy("row", kind.limits(most), List.of("principal"));
		PolicyOptions options = PolicyOptions.STANDARD;
		return switch (this.row.feature()) {
			case NONE, OVERRIDE, GRANT -> policy;
			case PLAN -> policy.withPlans(Map.of("premium", new Plan(kind.limits(most + 10), EnforcementMode.ENFORCE)));
			case SHARES -> policy.withOptions(options.sharing("base", 10));
			case CLAMP -> policy.withOptions(options.withMaxCost(new MaxCost(3, true)));
			case PREFETCH -> policy.withOptions(options.withPrefetch(6));
			case SHADOW -> policy.withMode(EnforcementMode.SHADOW, List.of());
			case SHADOW_IS_FULL -> policy.withLimits(kind.limits(6)).withMode(EnforcementMode.SHADOW, List.of());
			case CANDIDATE -> policy.withMode(EnforcementMode.ENFORCE, kind.limits(most - 3));
			case CANDIDATE_IS_FULL -> policy.withMode(EnforcementMode.ENFORCE, kind.limits(6));
		};
	}

	private KeyControls controls(boolean banned) {
		KeyControl grant = (this.row.feature() == Feature.GRANT)
				? new KeyControl(false, List.of(), new Grant("grant-of-a", Limit.parse("15/30d fixed-window")))
				: KeyControl.NONE;
		return new KeyControls(
				Map.of(new Subject("row", this.row.keys().key()), banned ? grant.and(KeyControl.BAN) : grant));
	}

	DetachedRow row() {
		return this.row;
	}

	/** Reserves the charges of the row, and releases what the call held. */
	Reservation reserve() {
		fail(this.row.meanwhile() == Meanwhile.STORE_FAILED_BEFORE);
		Reservation reservation = this.row.style().reserve(this.one, charges());
		this.one.release(reservation);
		fail(false);
		return reservation;
	}

	private Reservation reserve(Charge charge) {
		return this.one.reserve(List.of(charge));
	}

	private List<Charge> charges() {
		return this.row.keys().charges().stream().map(this::withPlan).toList();
	}

	private Charge withPlan(Charge charge) {
		boolean isPlanned = this.row.feature() == Feature.PLAN && charge.policy().equals("row");
		return isPlanned ? charge.withPlan("premium") : charge;
	}

	/** Lets happen what happens before the settlement. */
	void happen() {
		switch (this.row.meanwhile()) {
			case NOTHING, STORE_FAILED_BEFORE -> {
			}
			case DENIED -> spendAll();
			case BANNED -> this.policies.control(controls(true));
			case LIMITS_CHANGED -> this.policies.replaceAll(policies(this.row.kind(), MOST + 10));
			case ALGORITHM_CHANGED -> this.policies.replaceAll(
					policies((this.row.kind() == Kind.SLIDING_LOG) ? Kind.FIXED_WINDOW : Kind.SLIDING_LOG, MOST));
			case RESET -> this.one.reset("row", this.row.keys().key());
			case STORE_FAILS -> fail(true);
		}
	}

	/** Spends permits of the first key one by one, until a call is denied. */
	private void spendAll() {
		for (int call = 0; call < 2 * MOST; call++) {
			Reservation reservation = reserve(withPlan(Charge.of("row", this.row.keys().key())));
			this.one.release(reservation);
		}
	}

	/** Begins or ends a failure of the stores of all instances. */
	void fail(boolean fails) {
		this.store.failing = fails;
		this.settlingStore.failing = fails;
	}

	void lift() {
		this.policies.control(controls(false));
	}

	void adjust(Reservation reservation, long actual) {
		this.row.style().adjust(this.one, reservation, actual);
	}

	void refund(Reservation reservation) {
		this.one.refund(reservation);
	}

	String detach(Reservation reservation, TokenTerms terms) {
		return isBlocking() ? this.one.detach(reservation, terms) : get(this.one.detachAsync(reservation, terms));
	}

	Settlement adjust(String token, long actual) {
		return isBlocking() ? this.settling.adjust(token, actual) : get(this.settling.adjustAsync(token, actual));
	}

	Settlement refund(String token) {
		return isBlocking() ? this.settling.refund(token) : get(this.settling.refundAsync(token));
	}

	private boolean isBlocking() {
		return this.row.style() == CallStyle.BLOCKING;
	}

	private static <T> T get(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	/** Returns whether an instance that has cached no denial admits another call. */
	boolean acquires() {
		try (RateLimiter third = limiter(this.stores.get())) {
			Reservation reservation = third.reserve(List.of(withPlan(Charge.of("row", this.row.keys().key()))));
			third.release(reservation);
			return reservation.decision().allowed();
		}
	}

	/** Returns what is left of all limits and grants, in the store and in memory. */
	List<Long> left() {
		List<Long> left = new ArrayList<>();
		for (boolean fails : new boolean[] { false, true }) {
			fail(fails);
			charges().forEach((charge) -> left.addAll(remaining(this.one.peek(List.of(charge.costing(0))))));
		}
		fail(false);
		OptionalLong grant = this.one.grantLeft("row", this.row.keys().key());
		grant.ifPresent(left::add);
		return left;
	}

	/** Returns what listeners were notified of, by policy and digest of the key. */
	Map<String, Long> adjusted() {
		return Map.copyOf(this.adjustments.sums);
	}

	private static List<Long> remaining(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream())
			.map(LimitDecision::remaining)
			.toList();
	}

	@Override
	public void close() {
		this.one.close();
		this.settling.close();
	}

	/** A listener that adds adjustments up. */
	private static final class Adjustments implements RateLimitListener {

		private final Map<String, Long> sums = new ConcurrentHashMap<>();

		@Override
		public void adjusted(Charge charge, long difference) {
			this.sums.merge(charge.policy() + " " + KeyDigest.inPlaceOf(charge.key()), difference, Long::sum);
		}

	}

}
