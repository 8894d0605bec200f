package io.github.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.EnforcedShare;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Permits that calls tell for the limit of their caller.
 */
class PermitsOfCallsTests {

	private static final long START = 1_790_000_000_000_000L;

	private long now = START;

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> this.now);

	@Test
	void limitCallersToTheirOwnNumber() {
		RateLimiter limiter = limiter(policy("10/1m"));
		assertThat(admitted(limiter, "alice", 3L)).isEqualTo(3);
		assertThat(admitted(limiter, "bob", 30L)).isEqualTo(30);
		assertThat(admitted(limiter, "carol", null)).isEqualTo(10);
	}

	@Test
	void areAtMostTheCeiling() {
		Decision decision = limiter(policy("10/1m")).acquire(charge("alice", 1001L));
		assertThat(limits(decision)).containsExactly("100/1m");
		assertThat(decision.limits().get(0).remaining()).isEqualTo(99);
	}

	@Test
	void keepTheCountWhenTheyChange() {
		RateLimiter limiter = limiter(policy("10/1m"));
		assertThat(admitted(limiter, "alice", 3L)).isEqualTo(3);
		assertThat(admitted(limiter, "alice", 5L)).isEqualTo(2);
		assertThat(admitted(limiter, "alice", 4L)).isZero();
		assertThat(admitted(limiter, "alice", null)).isEqualTo(5);
	}

	/** Instances that read other claims of a caller share its count. */
	@Test
	void stayWithinTheLargerOfTwoInstances() {
		RateLimiter one = limiter(policy("10/1m fixed-window"));
		RateLimiter other = limiter(policy("10/1m fixed-window"));
		long admitted = 0;
		for (int call = 0; call < 200; call++) {
			admitted += ((call % 2 == 0) ? one : other).acquire(charge("alice", (call % 2 == 0) ? 20L : 50L)).allowed()
					? 1 : 0;
		}
		assertThat(admitted).isEqualTo(50);
	}

	@ParameterizedTest
	@CsvSource({ "10/1s, 25, 25/1s, 25", "10/1s burst 4, 25, 25/1s, 4", "10/1s leaky-bucket, 25, 25/1s, 1",
			"10/1h sliding-window-log, 3, 3/1h, 3", "10/1d fixed-window align day zone Asia/Tokyo, 25, 25/1d, 25" })
	void replaceTheNumberAndNothingElse(String text, long permits, String rate, long burst) {
		Limit limit = Limit.parse(text).withPermits(permits);
		assertThat(limit).hasToString(rate);
		assertThat(limit.burst()).isEqualTo(burst);
		assertThat(limit.algorithm()).isEqualTo(Limit.parse(text).algorithm());
		assertThat(limit.alignment()).isEqualTo(Limit.parse(text).alignment());
	}

	@Test
	void winOverThePlanWhosePeriodAndModeStay() {
		Policy planned = policy("10/1m").withPlans(
				Map.of("gold", plan("50/1h", EnforcementMode.ENFORCE), "trial", plan("5/1m", EnforcementMode.SHADOW)));
		RateLimiter limiter = limiter(planned);
		assertThat(limits(limiter.acquire(charge("alice", 7L).withPlan("gold")))).containsExactly("7/1h");
		assertThat(limits(limiter.acquire(charge("alice", null).withPlan("gold")))).containsExactly("50/1h");
		Decision shadow = limiter.acquire(charge("alice", 7L).withPlan("trial"));
		assertThat(shadow.shadows()).extracting((limit) -> limit.limit().toString()).containsExactly("7/1m");
	}

	@Test
	void giveWayToWhatAnOperatorSets() {
		Policies policies = new Policies(List.of(policy("10/1m")));
		RateLimiter limiter = new RateLimiter(policies, this.store, List.of());
		policies.control(new KeyControls(
				Map.of(new Subject("api", "alice"), new KeyControl(false, List.of(Limit.parse("2/1m")), null))));
		assertThat(limits(limiter.acquire(charge("alice", 50L)))).containsExactly("2/1m");
		assertThat(limits(limiter.acquire(charge("bob", 50L)))).containsExactly("50/1m");
		policies.replace(policies.get("api").withLimits(List.of(Limit.parse("4/1m"))));
		assertThat(limits(limiter.acquire(charge("bob", 50L)))).containsExactly("4/1m");
	}

	@Test
	void giveWayToTheLimitsOfSingleCallers() {
		LimitOverrides overrides = (policy, key) -> key.equals("alice") ? List.of(Limit.parse("6/1m")) : List.of();
		RateLimiter limiter = new RateLimiter(new Policies(List.of(policy("10/1m"))), this.store, this.store, List.of(),
				overrides);
		assertThat(limits(limiter.acquire(charge("alice", 50L)))).containsExactly("6/1m");
		assertThat(limits(limiter.acquire(charge("bob", 50L)))).containsExactly("50/1m");
	}

	@Test
	void areInShadowForKeysThatAreNotEnforced() {
		Policy none = policy("10/1m").withOptions(PolicyOptions.STANDARD.withEnforced(EnforcedShare.NONE));
		Decision decision = limiter(none).acquire(charge("alice", 3L));
		assertThat(decision.limits()).isEmpty();
		assertThat(decision.shadows()).extracting((limit) -> limit.limit().toString()).containsExactly("3/1m");
	}

	@Test
	void arePrefetchedOnlyIfTheNumberAllowsIt() {
		Policy prefetching = policy("50/1m").withOptions(PolicyOptions.STANDARD.withPrefetch(20));
		assertThat(prefetched(prefetching, 20L)).isEqualTo(20);
		assertThat(prefetched(prefetching, 19L)).isZero();
	}

	@Test
	void meanNothingToAPolicyThatTakesNone() {
		Policy policy = new Policy("api", List.of(Limit.parse("10/1m")), List.of("global"));
		assertThat(limits(limiter(policy).acquire(charge("alice", 50L)))).containsExactly("10/1m");
	}

	@Test
	void areReleasedByTheirOwnLimitOnConcurrency() {
		RateLimiter limiter = limiter(policy("2 concurrent"));
		List<Reservation> held = List.of(limiter.reserve(List.of(charge("alice", 3L))),
				limiter.reserve(List.of(charge("alice", 3L))), limiter.reserve(List.of(charge("alice", 3L))));
		assertThat(held).allMatch((reservation) -> reservation.decision().allowed());
		assertThat(limiter.reserve(List.of(charge("alice", 3L))).decision().allowed()).isFalse();
		limiter.release(held.get(0));
		assertThat(limiter.reserve(List.of(charge("alice", 3L))).decision().allowed()).isTrue();
	}

	/** Numbers that cannot be counted exactly are rounded down to fewer digits. */
	@Test
	void areRoundedDownWhereTheyCannotBeCounted() {
		Limit daily = Limit.parse("1000000000000/1d");
		assertThatIllegalArgumentException().isThrownBy(() -> daily.withPermits(999_999_999_999L));
		Policy policy = policy(daily.toString(), 1_000_000_000_000L);
		assertThat(limits(limiter(policy).acquire(charge("alice", 999_999_999_999L)))).first()
			.asString()
			.matches("9+0+/1d");
	}

	@Test
	void areKnownForManyNumbers() {
		Policy policy = policy("10/1m", 10_000);
		assertThat(policy.withPermits(77L)).isSameAs(policy.withPermits(77L));
		for (long permits = 1; permits <= 1000; permits++) {
			assertThat(policy.withPermits(permits).limits()).extracting(Limit::toString)
				.containsExactly(permits + "/1m");
		}
	}

	@Test
	void areForOneLimit() {
		assertThatIllegalArgumentException().isThrownBy(() -> policy(List.of("10/1m", "100/1h"), 100))
			.withMessage("permits that calls tell are for a policy with one limit, and 'api' has [10/1m, 100/1h]");
	}

	@Test
	void leaveNoReserve() {
		Policy policy = policy("10/1m");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> policy.withOptions(PolicyOptions.STANDARD.sharing("other", 20)))
			.withMessageContaining("a reserve of 20% leaves nothing of limit 1/1m");
	}

	@Test
	void areCheckedUpToTheCeiling() {
		assertThatIllegalArgumentException().isThrownBy(() -> policy("10/1d", Long.MAX_VALUE))
			.withMessageContaining("too large to be counted exactly");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void areAtLeastOne(long permits) {
		assertThatIllegalArgumentException().isThrownBy(() -> charge("alice", permits))
			.withMessage("'permits' must be at least 1, was " + permits);
		assertThatIllegalArgumentException().isThrownBy(() -> new OwnPermits("claim:rpm", permits))
			.withMessage("the most permits of a caller must be at least 1, was " + permits);
	}

	@Test
	void returnAsTimePassesAtTheirOwnRate() {
		RateLimiter limiter = limiter(policy("10/1m"));
		assertThat(admitted(limiter, "alice", 60L)).isEqualTo(60);
		this.now += TimeUnit.SECONDS.toMicros(10);
		assertThat(admitted(limiter, "alice", 60L)).isEqualTo(10);
	}

	private RateLimiter limiter(Policy policy) {
		return new RateLimiter(new Policies(List.of(policy)), this.store, List.of());
	}

	private static long admitted(RateLimiter limiter, String key, @Nullable Long permits) {
		long admitted = 0;
		while (limiter.acquire(charge(key, permits)).allowed()) {
			admitted++;
		}
		return admitted;
	}

	private static long prefetched(Policy policy, long permits) {
		return policy.withPermits(permits).effectiveLimits(null).enforced().get(0).prefetch();
	}

	private static List<String> limits(Decision decision) {
		return decision.limits().stream().map((limit) -> limit.limit().toString()).toList();
	}

	private static Charge charge(String key, @Nullable Long permits) {
		return Charge.of("api", key).withPermits(permits);
	}

	private static Policy policy(String limit) {
		return policy(limit, 100);
	}

	private static Policy policy(String limit, long most) {
		return policy(List.of(limit), most);
	}

	private static Policy policy(List<String> limits, long most) {
		return new Policy("api", limits.stream().map(Limit::parse).toList(), List.of("global"))
			.withCallerSelectors(new CallerSelectors(List.of("global")).withPermits(new OwnPermits("claim:rpm", most)));
	}

	private static Plan plan(String limit, EnforcementMode mode) {
		return new Plan(List.of(Limit.parse(limit)), mode);
	}

}
