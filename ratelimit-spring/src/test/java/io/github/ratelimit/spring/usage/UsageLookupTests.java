package io.github.ratelimit.spring.usage;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.key.TestResolvers;
import io.github.ratelimit.spring.usage.Usage.Access;
import io.github.ratelimit.spring.usage.Usage.LimitUsage;
import io.github.ratelimit.spring.usage.Usage.PolicyUsage;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The requests of a lookup to the store, and whom it shows as what.
 */
@ExtendWith(OutputCaptureExtension.class)
class UsageLookupTests {

	private static final Caller ALICE = new User("alice");

	private final CountingStore store = new CountingStore();

	private final List<String> reports = new ArrayList<>();

	private final KeyResolvers resolvers = new KeyResolvers(() -> new ClientIp(List.of(), 64), TestResolvers.NO_BEANS,
			List.of(), () -> new RateLimitListener() {
				@Override
				public void refused(RefusedCallerException refusal) {
					UsageLookupTests.this.reports.add("refused");
				}

				@Override
				public void missingKey(String policy) {
					UsageLookupTests.this.reports.add("missing");
				}
			}, new Findings(List.of()));

	@Test
	void asksTheStoreOnceForAllPolicies() {
		Policies policies = new Policies(
				IntStream.range(0, 5).mapToObj((index) -> policy("api-" + index, (index + 1) + "/1d")).toList());
		limiter(policies).acquire(List.of(new Charge("api-2", "principal:alice", 2)));
		this.store.requests.clear();
		assertThat(usage(policies)).extracting(PolicyUsage::policy, UsageLookupTests::remaining)
			.containsExactly(tuple("api-0", 1L), tuple("api-1", 2L), tuple("api-2", 1L), tuple("api-3", 4L),
					tuple("api-4", 5L));
		assertThat(this.store.requests).hasSize(1);
	}

	@Test
	void asksOnItsOwnForAPolicyThatSharesCountsOrPrefetches() {
		Policy sharing = policy("exports", "5/1d");
		Policy prefetching = policy("busy", "9/1d");
		Policies policies = new Policies(List.of(policy("orders", "5/1d"), policy("other", "7/1d"),
				sharing.withOptions(PolicyOptions.STANDARD.sharing("orders", 20)),
				prefetching.withOptions(PolicyOptions.STANDARD.withPrefetch(2))));
		limiter(policies).acquire(List.of(new Charge("orders", "principal:alice", 2)));
		this.store.requests.clear();
		assertThat(usage(policies)).extracting(PolicyUsage::policy, UsageLookupTests::remaining)
			.containsExactly(tuple("busy", 9L), tuple("exports", 2L), tuple("orders", 3L), tuple("other", 7L));
		assertThat(this.store.requests).hasSize(3);
	}

	@Test
	void showsOthersThanThePolicyThatAnOperatorHasBannedTheKeyFrom() {
		Policies policies = new Policies(List.of(policy("api", "5/1d"), policy("other", "7/1d")));
		policies.control(new KeyControls(Map.of(new Subject("api", "principal:alice"), KeyControl.BAN)));
		assertThat(usage(policies)).extracting(PolicyUsage::policy, PolicyUsage::access)
			.containsExactly(tuple("api", Access.BLOCKED), tuple("other", Access.LIMITED));
	}

	@Test
	void asksNoStoreIfNoPolicyLimitsTheCaller() {
		assertThat(usage(new Policies(List.of()))).isEmpty();
		assertThat(usage(new Policies(List.of(policy("api", "5/1d").withCallerSelectors(
				new CallerSelectors(List.of("principal"), null, List.of("principal:alice"), List.of()))))))
			.extracting(PolicyUsage::access)
			.containsExactly(Access.EXEMPT);
		assertThat(this.store.requests).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("selections")
	void showsACallerAsChargingTakesIt(Selection selection) {
		Policies policies = new Policies(List.of(selection.policy()));
		this.resolvers.bans().replace(selection.banned ? List.of("principal:alice") : List.of());
		assertThat(usage(policies).stream().findFirst().orElse(null)).isEqualTo(asCharged(policies));
	}

	@ParameterizedTest
	@EnumSource
	void reportsNothing(OnMissingKey onMissingKey, CapturedOutput output) {
		Policy unknown = policy("api", "5/1d", "header:X-Api-Key")
			.withOptions(PolicyOptions.STANDARD.withMissingKey(onMissingKey));
		Policy blocking = policy("blocking", "5/1d").withCallerSelectors(
				new CallerSelectors(List.of("principal"), null, List.of(), List.of("principal:alice")));
		assertThat(usage(new Policies(List.of(unknown, blocking)))).extracting(PolicyUsage::policy)
			.containsExactly("blocking");
		assertThat(this.reports).isEmpty();
		assertThat(output).doesNotContain("does not know the caller");
	}

	static Stream<Selection> selections() {
		return Stream.of(OnMissingKey.values())
			.flatMap((onMissingKey) -> IntStream.range(0, 32)
				.mapToObj((bits) -> new Selection((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
						(bits & 16) != 0, onMissingKey)));
	}

	/** Returns what a charge of the policy says of the caller, in the order it asks. */
	private @Nullable PolicyUsage asCharged(Policies policies) {
		try {
			Charge charge = keys(policies).get("api").charge(new CallContext(ALICE, Map.of()), (call) -> 1);
			if (charge == null || charge.key().equals(KeyResolvers.MISSING)) {
				return null;
			}
			return charge.exempt() ? new PolicyUsage("api", Access.EXEMPT, List.of()) : new PolicyUsage("api",
					Access.LIMITED, List.of((charge.plan() != null) ? unspent("50/1d", 50) : unspent("5/1d", 5)));
		}
		catch (BlockedCallerException ex) {
			return new PolicyUsage("api", Access.BLOCKED, List.of());
		}
		catch (MissingKeyException ex) {
			return null;
		}
	}

	private static LimitUsage unspent(String limit, long permits) {
		return new LimitUsage(limit, permits, 0, permits, 0);
	}

	private List<PolicyUsage> usage(Policies policies) {
		return new UsageLookup(limiter(policies), policies, (policy) -> true, keys(policies), List.of()).of(ALICE)
			.toCompletableFuture()
			.join()
			.policies();
	}

	private PolicyKeys keys(Policies policies) {
		return new PolicyKeys(policies, this.resolvers, this.resolvers.scope(), "a test");
	}

	private RateLimiter limiter(Policies policies) {
		return new RateLimiter(policies, this.store, List.of());
	}

	private static long remaining(PolicyUsage usage) {
		return usage.limits().get(0).remaining();
	}

	private static Policy policy(String name, String limit, String... keys) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.FIXED_WINDOW)),
				(keys.length > 0) ? List.of(keys) : List.of("principal"));
	}

	/** Whom the policy of a test selects for what. */
	record Selection(boolean banned, boolean blocked, boolean exempt, boolean known, boolean planned,
			OnMissingKey onMissingKey) {

		Policy policy() {
			List<String> alice = List.of("principal:alice");
			List<String> keys = List.of(this.known ? "principal" : "header:X-Api-Key");
			return UsageLookupTests.policy("api", "5/1d")
				.withCallerSelectors(new CallerSelectors(keys, this.planned ? "principal" : null,
						this.exempt ? alice : List.of(), this.blocked ? alice : List.of()))
				.withPlans(Map.of("alice",
						new Plan(List.of(Limit.parse("50/1d", Algorithm.FIXED_WINDOW)), EnforcementMode.ENFORCE)))
				.withOptions(PolicyOptions.STANDARD.withMissingKey(this.onMissingKey));
		}

	}

	private record User(String name) implements Caller {

		@Override
		public Principal user() {
			return () -> this.name;
		}

	}

	/** A store in memory that records the requests to it. */
	private static final class CountingStore implements RateLimitStore {

		private final RateLimitStore counts = new MemoryRateLimitStore(100);

		private final List<StoreRequest> requests = new ArrayList<>();

		@Override
		public String name() {
			return this.counts.name();
		}

		@Override
		public Decision execute(StoreRequest request) {
			this.requests.add(request);
			return this.counts.execute(request);
		}

		@Override
		public CompletionStage<Decision> executeAsync(StoreRequest request) {
			this.requests.add(request);
			return this.counts.executeAsync(request);
		}

	}

}
