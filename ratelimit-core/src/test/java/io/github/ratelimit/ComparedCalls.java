package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions.SharedCounter;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls that a limiter and its definition decide alike. Many reservations overlap,
 * and callers change their plans.
 */
final class ComparedCalls {

	private static final long SECOND = 1_000_000;

	private static final int MOST_OPEN = 30;

	private final RateLimiter limiter;

	private final CallDefinition definition;

	private final List<Policy> policies;

	private final Random random;

	private final CallsContract time;

	private final List<String> keys;

	/** How much more often calls come, so that limits stay in use. */
	private final int pace;

	/** The part of a burst that calls cost at most; 0 for mostly a few permits. */
	private final int part;

	private final List<Open> open = new ArrayList<>();

	private final RandomCallers callers;

	/** The latest denials by the store itself, which it may remember. */
	private final Map<List<PermitRequest>, Decision> denials = new HashMap<>();

	private final CallHistory history;

	private int proofs;

	private String place = "";

	ComparedCalls(RateLimiter limiter, List<Policy> policies, Random random, CallsContract time) {
		this.limiter = limiter;
		this.definition = new CallDefinition(policies);
		this.policies = policies;
		this.history = new CallHistory(policies);
		this.random = random;
		this.callers = new RandomCallers(random);
		this.time = time;
		this.keys = List.of("alice", "bob", "carol", "dave").subList(0, 1 + random.nextInt(policies.size()));
		this.pace = 1 << (2 * random.nextInt(3));
		this.part = random.nextInt(4);
	}

	/** A call that can still be corrected, in parts if it is split. */
	private static final class Open {

		private final List<Reservation> parts;

		private final List<Integer> indexes;

		private CallDefinition.Call defined;

		Open(List<Reservation> parts, CallDefinition.Call defined) {
			this.parts = new ArrayList<>(parts);
			this.indexes = new ArrayList<>(IntStream.range(0, parts.size()).boxed().toList());
			this.defined = defined;
		}

	}

	/** Returns how many denied calls were proved to fit at their retry-after. */
	int proofs() {
		return this.proofs;
	}

	/** Makes the next call or correction, and compares it. */
	void next(String place) {
		this.place = place;
		this.time.moveOn(step());
		int choice = this.random.nextInt(100);
		if (choice < 25 && !this.open.isEmpty()) {
			correctAny();
		}
		else if (choice < 27) {
			reset();
		}
		else {
			call(choice < 40);
		}
	}

	private void call(boolean peeks) {
		List<Charge> charges = charges();
		Decision decision = peeks ? peek(charges) : acquire(charges);
		if (decision == null || decision.allowed()) {
			return;
		}
		if (!this.definition.isExact(charges, this.time.now())) {
			forgetDenial();
		}
		else if (this.random.nextInt(Math.min(4, this.pace)) == 0) {
			prove(charges, decision.retryAfterMicros());
		}
	}

	/** Lets a denial expire that is remembered though the call may fit before its end. */
	private void forgetDenial() {
		if (this.time.remembersDenials()) {
			this.time.moveOn(SECOND);
		}
	}

	/**
	 * Proves that a denied call fits at its retry-after, and not a microsecond before.
	 */
	private void prove(List<Charge> charges, long retryAfter) {
		this.time.moveOn(retryAfter - 1);
		Decision before = Objects.requireNonNull(this.random.nextBoolean() ? peek(charges) : acquire(charges));
		assertThat(before.retryAfterMicros()).as(this::description).isEqualTo(1);
		this.time.moveOn(1);
		assertThat(Objects.requireNonNull(acquire(charges)).allowed()).as(this::description).isTrue();
		this.proofs++;
	}

	private @Nullable Decision peek(List<Charge> charges) {
		note("peek", charges);
		CallDefinition.Call defined = this.definition.decide(StoreOperation.PEEK, charges, this.time.now());
		return compared(() -> style().peek(this.limiter, charges), defined);
	}

	private @Nullable Decision acquire(List<Charge> charges) {
		note("acquire", charges);
		CallDefinition.Call defined = this.definition.decide(StoreOperation.ACQUIRE, charges, this.time.now());
		if (this.random.nextInt(4) == 0) {
			return compared(() -> this.limiter.acquire(charges), defined);
		}
		Reservation[] reservation = new Reservation[1];
		Decision decision = compared(() -> {
			reservation[0] = style().reserve(this.limiter, charges);
			return reservation[0].decision();
		}, defined);
		if (decision != null && decision.allowed() && this.open.size() < MOST_OPEN) {
			boolean isSplit = this.random.nextInt(4) == 0;
			this.open.add(new Open(isSplit ? reservation[0].perCharge() : List.of(reservation[0]), defined));
		}
		return decision;
	}

	/** Corrects a call, mostly the oldest, or one that waits about when it proceeds. */
	private void correctAny() {
		int index = (this.random.nextInt(3) == 0) ? this.random.nextInt(this.open.size()) : 0;
		int waiting = IntStream.range(0, this.random.nextBoolean() ? this.open.size() : 0)
			.filter((any) -> turn(this.open.get(any)) > this.time.now())
			.findFirst()
			.orElse(-1);
		if (waiting >= 0) {
			approach(this.open.get(waiting));
		}
		correct((waiting >= 0) ? waiting : index);
	}

	private static long turn(Open call) {
		Decision decision = Objects.requireNonNull(call.defined.decision());
		return decision.storeTimeMicros() + decision.waitMicros();
	}

	/**
	 * Moves on until about the turn of a call that waits. Before that, sometimes resets
	 * what it has charged, and makes others like it.
	 */
	private void approach(Open call) {
		long turn = turn(call);
		Charge charge = any(call.defined.charges());
		if (this.random.nextInt(3) == 0) {
			reset(charge.policy(), charge.key());
		}
		moveTo(turn - this.random.nextLong(1 + Math.max(0, turn - this.time.now())) / 4);
		for (int others = this.random.nextInt(3); others > 0; others--) {
			acquire(List.of(charge));
		}
		moveTo(turn - 1 + this.random.nextInt(3));
	}

	private void moveTo(long time) {
		this.time.moveOn(Math.max(0, time - this.time.now()));
	}

	/** Adjusts or refunds a call or one charge of it. */
	private void correct(int index) {
		Open call = this.open.get(index);
		int part = this.random.nextInt(call.parts.size());
		Reservation reservation = call.parts.remove(part);
		int charge = call.indexes.get(part);
		call.indexes.subList(part, part + 1).clear();
		boolean isWhole = reservation.charges().size() == call.defined.charges().size();
		List<Integer> corrected = isWhole ? IntStream.range(0, call.defined.charges().size()).boxed().toList()
				: List.of(charge);
		if (call.parts.isEmpty()) {
			this.open.remove(index);
		}
		boolean detaches = isWhole && this.random.nextInt(4) == 0;
		ToLongFunction<Charge> actual = detaches ? settlement(reservation) : correction(reservation);
		call.defined = detaches ? this.definition.settle(call.defined, corrected, actual, this.time.now())
				: this.definition.adjust(call.defined, corrected, actual, this.time.now());
	}

	/** Settles a whole reservation: its parts would not know what others cost. */
	private ToLongFunction<Charge> settlement(Reservation reservation) {
		long actual = this.random.nextBoolean() ? 0 : actual(reservation);
		note("settle at " + actual, reservation.charges());
		String token = this.limiter.detach(reservation, TokenTerms.expiringAfter(Duration.ofDays(1)));
		assertThat(this.limiter.adjust(token, actual)).as(this::description).isEqualTo(Settlement.SETTLED);
		return (charge) -> actual;
	}

	private long actual(Reservation reservation) {
		long most = reservation.charges().stream().mapToLong(Charge::cost).max().orElseThrow();
		return this.random.nextLong(most + 1) + ((this.random.nextInt(4) == 0) ? this.random.nextInt(8) : 0);
	}

	/** Corrects a reservation, and returns the actual costs. */
	private ToLongFunction<Charge> correction(Reservation reservation) {
		if (this.random.nextInt(4) == 0) {
			note("refund", reservation.charges());
			this.limiter.refund(reservation);
			return (charge) -> 0;
		}
		long actual = actual(reservation);
		note("adjust to " + actual, reservation.charges());
		style().adjust(this.limiter, reservation, actual);
		return (charge) -> actual;
	}

	private void reset() {
		reset(any(this.policies).name(), any(this.keys));
	}

	private void reset(String name, String key) {
		note("reset " + name + " " + key, List.of());
		this.limiter.reset(name, key);
		this.definition.reset(name, key);
		Policy policy = this.policies.stream().filter((any) -> any.name().equals(name)).findFirst().orElseThrow();
		this.denials.keySet().removeIf((permits) -> permits.stream().anyMatch((permit) -> isOf(permit, policy, key)));
	}

	private static boolean isOf(PermitRequest permit, Policy policy, String key) {
		SharedCounter shared = policy.options().sharedCounter();
		return permit.key().equals(key)
				&& permit.policyLimit().counter().equals((shared != null) ? shared.policy() : policy.name());
	}

	private @Nullable Decision compared(Supplier<Decision> decide, CallDefinition.Call defined) {
		Decision decision;
		try {
			decision = decide.get();
		}
		catch (IllegalArgumentException ex) {
			assertThat(defined.decision()).as(this::description).isNull();
			return null;
		}
		assertThat(defined.decision()).as(this::description).isNotNull();
		boolean isAllowed = Objects.requireNonNull(defined.decision()).allowed();
		Decision expected = defined.decision();
		expected = this.time.remembersDenials() ? remembered(defined.permits(), decision, expected) : expected;
		assertThat(decision).as(this::description).isEqualTo(expected);
		assertThat(decision.allowed()).as(this::description).isEqualTo(isAllowed);
		assertThat(decision.waitMicros()).as(this::description).isEqualTo(expected.waitMicros());
		new HeadersDefinition(expected).compare(decision, this::description);
		return decision;
	}

	/**
	 * Returns a denial as it may be remembered for a second: with what remained when the
	 * store was asked.
	 */
	private Decision remembered(List<PermitRequest> permits, Decision decided, Decision defined) {
		Decision last = this.denials.get(permits);
		if (!decided.equals(defined) && last != null && !defined.allowed()
				&& defined.storeTimeMicros() - last.storeTimeMicros() < SECOND) {
			List<LimitDecision> limits = IntStream.range(0, last.limits().size())
				.mapToObj((i) -> defined.limits().get(i).withRemaining(last.limits().get(i).remaining()))
				.toList();
			return Decision.of(defined.storeTimeMicros(), limits, defined.shadows());
		}
		if (!defined.allowed()) {
			this.denials.put(permits, defined);
		}
		return defined;
	}

	/** Returns charges of different policies and keys, sometimes one of them twice. */
	private List<Charge> charges() {
		this.callers.changePlan(any(this.policies), any(this.keys));
		List<Charge> charges = new ArrayList<>();
		for (int more = this.random.nextInt(3); more >= 0; more--) {
			Policy policy = any(this.policies);
			String key = any(this.keys);
			charges.add(charge(policy, key));
		}
		return List.copyOf(charges);
	}

	private Charge charge(Policy policy, String key) {
		Charge charge = this.callers.charging(policy, key, cost(policy));
		long longest = RandomPolicies.limits(policy)
			.mapToLong((limit) -> limit.formula().longestWait())
			.min()
			.orElseThrow();
		long period = policy.limits().get(0).periodMicros();
		return (this.random.nextInt(6) > 0) ? charge
				: charge.waitingUpTo(RandomPolicies.micros(this.random.nextLong(Math.min(longest, 3 * period) + 1)));
	}

	private long cost(Policy policy) {
		long burst = any(RandomPolicies.limits(policy).toList()).burst();
		if (this.part > 0) {
			return this.random.nextLong(burst / this.part + 2);
		}
		return switch (this.random.nextInt(8)) {
			case 0 -> burst;
			case 1, 2 -> this.random.nextLong(burst + 1);
			case 3 -> this.random.nextLong(burst / 4 + 2);
			default -> this.random.nextInt(4);
		};
	}

	/** Returns the time until the next call, by the period of any limit. */
	private long step() {
		Limit limit = any(RandomPolicies.limits(any(this.policies)).toList());
		long period = limit.periodMicros() / this.pace;
		return switch (this.random.nextInt(20)) {
			case 0 -> this.random.nextLong(3 * period);
			case 1, 2 -> this.random.nextLong(period);
			case 3, 4, 5, 6, 7, 8 -> 0;
			default -> this.random.nextLong(period / 20);
		};
	}

	private CallStyle style() {
		return any(List.of(CallStyle.values()));
	}

	private <T> T any(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

	private void note(String what, List<Charge> charges) {
		this.history.note(this.time.now(), what, charges);
	}

	private String description() {
		return this.history.after(this.place);
	}

}
