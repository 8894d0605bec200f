package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of plans and of limits in each mode.
 */
class PlanTests {

	private static final String TRIAL = "trial";

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final List<Charge> skipped = new ArrayList<>();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	private final Policies policies = new Policies(List.of(
			policy("api", "10/1h").withPlans(Map.of("premium", plan(EnforcementMode.ENFORCE, "100/1h"), TRIAL,
					plan(EnforcementMode.SHADOW, "2/1h"), "internal", plan(EnforcementMode.OFF, "1/1h"))),
			policy("tried", "10/1h").withMode(EnforcementMode.ENFORCE, limits("3/1h")),
			policy("shadow", "1/1h").withMode(EnforcementMode.SHADOW, List.of()),
			policy("off", "1/1h").withMode(EnforcementMode.OFF, List.of()), policy("one", "1/1h")));

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of(new RateLimitListener() {

		@Override
		public void skipped(List<Charge> charges) {
			PlanTests.this.skipped.addAll(charges);
		}

	}));

	@Test
	void limitsByThePlanInTheNameOfThePolicy() {
		assertThat(this.limiter.acquire(charge("api", 30).withPlan("premium")).limits()).singleElement()
			.satisfies((limit) -> assertThat(limit.policy()).isEqualTo("api"),
					(limit) -> assertThat(limit.limit()).hasToString("100/1h"),
					(limit) -> assertThat(limit.remaining()).isEqualTo(70));
	}

	@Test
	void limitsByThePolicyWhereThePlanIsUnknown() {
		assertThat(this.limiter.acquire(charge("api", 4).withPlan("PREMIUM")).limits())
			.extracting(LimitDecision::remaining)
			.containsExactly(6L);
	}

	@Test
	void keepsWhatWasSpentWhenACallerMovesBetweenPlans() {
		this.limiter.acquire(charge("api", 8));
		assertThat(this.limiter.acquire(charge("api", 30).withPlan("premium")).limits().get(0).remaining())
			.isEqualTo(62);
		assertThat(this.limiter.acquire(charge("api", 1)).allowed()).isFalse();
	}

	@Test
	void resetsTheCountOfEveryPlan() {
		this.limiter.acquire(charge("api", 90).withPlan("premium"));
		this.limiter.reset("api", "a");
		assertThat(this.limiter.acquire(charge("api", 100).withPlan("premium")).allowed()).isTrue();
	}

	@Test
	void resetsCountsOfOtherPeriods() {
		this.policies.add(policy("many", "10/1h").withPlans(Map.of("daily", plan(EnforcementMode.ENFORCE, "5/1d"))));
		this.limiter.acquire(charge("many", 5).withPlan("daily"));
		this.limiter.reset("many", "a");
		assertThat(this.limiter.acquire(charge("many", 5).withPlan("daily")).allowed()).isTrue();
		this.policies
			.control(new KeyControls(Map.of(new Subject("many", "a"), new KeyControl(false, limits("3/1m"), null))));
		this.limiter.acquire(charge("many", 3));
		this.limiter.resetAsync("many", "a").toCompletableFuture().join();
		assertThat(this.limiter.acquire(charge("many", 3)).allowed()).isTrue();
	}

	@Test
	void limitsSomeCallersByLimitsOfTheirOwnOnTheSameCount() {
		this.limiter.acquire(charge("api", 8));
		RateLimiter overriding = overriding((policy, key) -> key.equals("a") ? limits("50/1h") : List.of());
		assertThat(overriding.acquire(charge("api", 20)).limits()).singleElement()
			.satisfies((limit) -> assertThat(limit.limit()).hasToString("50/1h"),
					(limit) -> assertThat(limit.remaining()).isEqualTo(22));
		assertThat(overriding.peek(List.of(charge("api", 22).withPlan("premium"))).limits().get(0).remaining())
			.isEqualTo(22);
		assertThat(overriding.acquire(charge("api", 5).withPlan(TRIAL)).shadows().get(0).remaining()).isEqualTo(17);
		assertThat(overriding.acquire(new Charge("api", "b", 1)).limits().get(0).limit()).hasToString("10/1h");
	}

	@Test
	void waitsForLimitsThatAreNotAtHandWithoutBlocking() {
		CompletableFuture<List<Limit>> known = new CompletableFuture<>();
		RateLimiter overriding = overriding(new LimitOverrides() {

			@Override
			public List<Limit> of(String policy, String key) {
				return known.join();
			}

			@Override
			public CompletionStage<List<Limit>> ofAsync(String policy, String key) {
				return known;
			}

		});
		CompletableFuture<Decision> decision = overriding.acquireAsync(charge("api", 20)).toCompletableFuture();
		assertThat(decision).isNotDone();
		known.complete(limits("50/1h"));
		assertThat(decision.join().limits().get(0).remaining()).isEqualTo(30);
		assertThat(overriding.acquire(charge("api", 20)).limits().get(0).remaining()).isEqualTo(10);
	}

	@Test
	void refusesOverridesWithAnotherNumberOfLimits() {
		RateLimiter overriding = overriding((policy, key) -> limits("5/1m", "20/1h"));
		assertThatIllegalArgumentException().isThrownBy(() -> overriding.acquire(charge("api", 1)))
			.withMessage("an override must have one limit in the place of each of [10/1h], and has [5/1m, 20/1h]");
	}

	@Test
	void refusesOverridesThatCannotCountTheWaitOfThePolicy() {
		this.policies
			.add(policy("queue", "10/1m").withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofMinutes(1))));
		RateLimiter overriding = overriding((policy, key) -> limits("5/1m fixed-window align minute"));
		assertThatIllegalArgumentException().isThrownBy(() -> overriding.acquire(charge("queue", 1)))
			.withMessage("a maximum wait in policy 'queue' is at most PT30S, was PT1M");
	}

	private RateLimiter overriding(LimitOverrides overrides) {
		return new RateLimiter(this.policies, this.store, new MemoryRateLimitStore(1), List.of(), overrides);
	}

	@Test
	void refusesAPlanWithAnotherNumberOfLimits() {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> policy("p", "1/1h").withPlans(Map.of("gold", plan(EnforcementMode.ENFORCE, "5/1m", "20/1h"))))
			.withMessage("plan 'gold' must have one limit in the place of each of [1/1h], and has [5/1m, 20/1h]");
	}

	@Test
	void deniesNothingInShadow() {
		assertThat(this.limiter.acquire(charge("shadow", 1)).shadows().get(0).allowed()).isTrue();
		Decision decision = this.limiter.acquire(charge("shadow", 1));
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.limits()).isEmpty();
		assertThat(decision.retryAfterMicros()).isZero();
		assertThat(decision.shadows().get(0).allowed()).isFalse();
	}

	@Test
	void keepsNoOtherPolicyFromBeingChargedInShadow() {
		this.limiter.acquire(charge("shadow", 1));
		this.limiter.acquire(List.of(charge("shadow", 1), charge("api", 3)));
		assertThat(remaining("api")).isEqualTo(7);
	}

	@Test
	void chargesNothingInShadowWhereAnotherPolicyDenies() {
		this.limiter.acquire(charge("one", 1));
		assertThat(this.limiter.acquire(List.of(charge("shadow", 1), charge("one", 1))).allowed()).isFalse();
		assertThat(this.limiter.acquire(charge("shadow", 1)).shadows().get(0).allowed()).isTrue();
	}

	@Test
	void shadowsThePlanOfSomeCallersAlone() {
		Decision decision = this.limiter.acquire(charge("api", 2).withPlan(TRIAL));
		assertThat(decision.limits()).isEmpty();
		assertThat(decision.shadows().get(0).remaining()).isZero();
		assertThat(this.limiter.acquire(charge("api", 1)).limits().get(0).remaining()).isEqualTo(7);
	}

	@Test
	void triesACandidateOnACountOfItsOwn() {
		assertThat(this.limiter.acquire(charge("tried", 3)).shadows().get(0).remaining()).isZero();
		Decision decision = this.limiter.acquire(charge("tried", 2));
		assertThat(decision.limits().get(0).remaining()).isEqualTo(5);
		assertThat(decision.shadows()).singleElement()
			.satisfies((limit) -> assertThat(limit.limit()).hasToString("3/1h"),
					(limit) -> assertThat(limit.allowed()).isFalse());
		this.limiter.reset("tried", "a");
		assertThat(this.limiter.peek(List.of(charge("tried", 0))).shadows().get(0).remaining()).isEqualTo(3);
	}

	@Test
	void takesACostThatACandidateNeverAdmitsForItsBurst() {
		assertThat(this.limiter.acquire(charge("tried", 5)).shadows().get(0).remaining()).isZero();
		assertThat(this.limiter.acquire(charge("tried", 5)).shadows().get(0).allowed()).isFalse();
	}

	@Test
	void refundsOnlyWhatWasChargedInShadow() {
		Reservation first = this.limiter.reserve(List.of(charge("tried", 2)));
		Reservation second = this.limiter.reserve(List.of(charge("tried", 2)));
		this.limiter.refund(second);
		assertThat(this.limiter.peek(List.of(charge("tried", 0))).shadows().get(0).remaining()).isEqualTo(1);
		this.limiter.refund(first);
		Decision decision = this.limiter.peek(List.of(charge("tried", 0)));
		assertThat(decision.shadows().get(0).remaining()).isEqualTo(3);
		assertThat(decision.limits().get(0).remaining()).isEqualTo(10);
	}

	@ParameterizedTest
	@CsvSource({ "5, 4, 0", "5, 3, 0", "5, 1, 2", "5, 0, 3", "5, 8, 0", "2, 1, 2", "2, 6, 0" })
	void correctsACandidateByWhatItWasCharged(long cost, long actual, long remaining) {
		Reservation reservation = this.limiter.reserve(List.of(charge("tried", cost)));
		this.limiter.adjust(reservation, actual);
		Decision decision = this.limiter.peek(List.of(charge("tried", 0)));
		assertThat(decision.shadows().get(0).remaining()).isEqualTo(remaining);
		assertThat(decision.limits().get(0).remaining()).isEqualTo(10 - actual);
	}

	@Test
	void refundsNoOtherChargesOfACandidate() {
		this.limiter.acquire(charge("tried", 2));
		Reservation reservation = this.limiter.reserve(List.of(charge("tried", 5)));
		this.limiter.adjust(reservation, 0);
		assertThat(this.limiter.peek(List.of(charge("tried", 0))).shadows().get(0).remaining()).isEqualTo(1);
	}

	@Test
	void correctsACandidateByTheSumOfAllChargesOfACall() {
		Reservation reservation = this.limiter.reserve(List.of(charge("tried", 2), charge("tried", 3)));
		reservation.perCharge().forEach((part) -> this.limiter.adjust(part, 1));
		assertThat(this.limiter.peek(List.of(charge("tried", 0))).shadows().get(0).remaining()).isEqualTo(1);
	}

	@Test
	void sendsNoRequestIfAllIsOff() {
		List<Charge> charges = List.of(charge("off", 5), charge("api", 50).withPlan("internal"));
		Reservation reservation = this.limiter.reserve(charges);
		assertThat(reservation.decision()).isEqualTo(Decision.UNLIMITED);
		assertThat(this.limiter.acquireAsync(charges).toCompletableFuture()).isCompletedWithValue(Decision.UNLIMITED);
		assertThat(this.limiter.peek(charges)).isEqualTo(Decision.UNLIMITED);
		this.limiter.refund(reservation);
		assertThat(this.skipped).hasSize(4).startsWith(charges.get(0), charges.get(1));
		assertThat(this.store.size()).isZero();
	}

	@Test
	void chargesTheOthersWhereOnePolicyIsOff() {
		Reservation reservation = this.limiter.reserve(List.of(charge("off", 5), charge("api", 3)));
		assertThat(reservation.decision().limits()).extracting(LimitDecision::policy).containsExactly("api");
		assertThat(reservation.perCharge()).hasSize(2);
		this.limiter.refund(reservation.perCharge().get(1));
		assertThat(remaining("api")).isEqualTo(10);
		assertThat(this.skipped).containsExactly(charge("off", 5));
	}

	@ParameterizedTest
	@CsvSource({ "0, 6", "1, 7", "4, 10", "9, 15" })
	void correctsNothingOfAChargeThatIsOffWhereTheCallChargesTheKeyAgain(long actual, long spent) {
		Reservation reservation = this.limiter
			.reserve(List.of(charge("api", 3).withPlan("internal"), charge("api", 4)));
		this.limiter.acquire(charge("api", 6));
		this.limiter.adjust(reservation, actual);
		assertThat(this.limiter.peek(List.of(charge("api", 10))).retryAfterMicros()).isEqualTo(spent * 360_000_000);
	}

	@Test
	void refundsEachChargeOnItsOwnWhereOneOfAKeyIsOff() {
		Reservation reservation = this.limiter
			.reserve(List.of(charge("api", 3).withPlan("internal"), charge("api", 4)));
		this.limiter.acquire(charge("api", 6));
		this.limiter.refund(reservation.perCharge().get(0));
		assertThat(remaining("api")).isZero();
		this.limiter.refund(reservation);
		assertThat(remaining("api")).isEqualTo(4);
	}

	@Test
	void holdsPermitsForTheChargeThatIsNotOff() {
		this.policies.add(policy("held", "2 concurrent lease 30s")
			.withPlans(Map.of("internal", plan(EnforcementMode.OFF, "1 concurrent lease 30s"))));
		List<Reservation> parts = this.limiter
			.reserve(List.of(charge("held", 1).withPlan("internal"), charge("held", 1)))
			.perCharge();
		assertThat(parts).extracting(Reservation::holdsPermits).containsExactly(false, true);
		this.limiter.release(parts.get(1));
		assertThat(remaining("held")).isEqualTo(2);
	}

	/** The candidate has room for what is counted, though not for the sum of both. */
	@Test
	void correctsACandidateWithoutTheChargeThatIsOff() {
		this.policies.add(policy("partly", "10/1h").withMode(EnforcementMode.ENFORCE, limits("3/1h"))
			.withPlans(Map.of("internal", plan(EnforcementMode.OFF, "1/1h"))));
		Reservation reservation = this.limiter
			.reserve(List.of(charge("partly", 5).withPlan("internal"), charge("partly", 2)));
		this.limiter.adjust(reservation, 1);
		assertThat(this.limiter.peek(List.of(charge("partly", 0))).shadows().get(0).remaining()).isEqualTo(2);
	}

	private long remaining(String policy) {
		return this.limiter.peek(List.of(charge(policy, 0))).limits().get(0).remaining();
	}

	private static Charge charge(String policy, long cost) {
		return new Charge(policy, "a", cost);
	}

	private static Plan plan(EnforcementMode mode, String... limits) {
		return new Plan(limits(limits), mode);
	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, limits(limit), List.of("global"));
	}

	private static List<Limit> limits(String... limits) {
		return List.of(limits).stream().map((limit) -> Limit.parse(limit, Algorithm.TOKEN_BUCKET)).toList();
	}

}
