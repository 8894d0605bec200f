package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The selection of callers by a policy: by plan, exempt, blocked or without a key.
 */
@ExtendWith(OutputCaptureExtension.class)
class PolicyKeyTests {

	private static final Charge EXEMPT = Charge.exempt("api");

	private final List<RefusedCallerException> refusals = new ArrayList<>();

	private final List<String> missing = new ArrayList<>();

	private final KeyResolvers resolvers = new KeyResolvers(
			() -> new ClientIp(List.of("10.0.0.0/8"), 64), new CallerBeans((name) -> (call) -> "acme",
					(name) -> (policy, key, call) -> policy + '/' + key, (name) -> (policy, key, call) -> 30L),
			List.of(), () -> new RateLimitListener() {
				@Override
				public void refused(RefusedCallerException refusal) {
					PolicyKeyTests.this.refusals.add(refusal);
				}

				@Override
				public void missingKey(String policy) {
					PolicyKeyTests.this.missing.add(policy);
				}
			}, new Findings(List.of()));

	@ParameterizedTest
	@CsvSource({ "header:X-Plan, gold", "principal, alice", "#principal.plan, gold", "#form.name, bob",
			"bean:plans, api/global" })
	void resolvesThePlan(String word, String plan) {
		assertThat(charge(new CallerSelectors(List.of("global"), word, List.of(), List.of()), new Alice()))
			.isEqualTo(new Charge("api", "global", 1).withPlan(plan));
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-Plan", "principal", "#principal.plan", "#form.name.length().foo" })
	void resolvesNoPlanWhereNoneIsThere(String word) {
		assertThat(charge(new CallerSelectors(List.of("global"), word, List.of(), List.of()), Caller.NONE))
			.isEqualTo(new Charge("api", "global", 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ip:192.0.2.0/24", "ip:192.0.2.1", "role:ADMIN", "principal:alice", "header:X-Plan:gold",
			"header:x-plan:gold", "bean:tenant:acme", "#principal.plan == 'gold'", "#form.name == 'bob'" })
	void knowsWhoIsListed(String entry) {
		assertThat(charge(exempt("role:NOBODY", entry), new Alice())).isEqualTo(EXEMPT);
		CallerSelectors blocked = blocked("role:NOBODY", entry);
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> charge(blocked, new Alice()))
			.withMessage("Policy 'api' blocks the caller");
		assertThat(this.refusals).extracting(RefusedCallerException::getPolicy).containsExactly("api");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ip:192.0.3.0/24", "ip:::/0", "role:USER", "principal:alic", "principal:alice:",
			"header:X-Plan:Gold", "bean:tenant:acm", "#principal.plan == 'silver'", "#form.name == 'alice'" })
	void knowsWhoIsNotListed(String entry) {
		assertThat(charge(exempt(entry), new Alice())).isEqualTo(new Charge("api", "global", 1));
		assertThat(charge(blocked(entry), new Alice())).isEqualTo(new Charge("api", "global", 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "#principal.plan == 'gold'", "#form.name", "#form.name.foo" })
	void favoursNoCallerByAnExpressionThatFails(String entry) {
		assertThat(charge(exempt(entry), Caller.NONE)).isEqualTo(new Charge("api", "global", 1));
		CallerSelectors blocked = blocked(entry);
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> charge(blocked, Caller.NONE));
	}

	@Test
	void blocksAlsoWhoIsExempt() {
		CallerSelectors callers = new CallerSelectors(List.of("global"), null, List.of("role:ADMIN"),
				List.of("principal:alice"));
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> charge(callers, new Alice()));
	}

	@Test
	void resolvesNoKeyOfAnExemptCaller() {
		CallerSelectors callers = new CallerSelectors(List.of("#form.name.foo"), null, List.of("role:ADMIN"),
				List.of());
		assertThat(charge(callers, new Alice())).isEqualTo(EXEMPT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ip", "role:", "alice", "principal:", "header:X-Plan", "header::gold", "bean:tenant",
			"user:alice" })
	void refusesOtherEntries(String entry) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.checkEntry(entry))
			.withMessageStartingWith(
					"a caller is ip:RANGE, role:NAME, principal:NAME, tenant:NAME, header:NAME:VALUE, ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ip:", "ip:localhost", "ip:10.0.0.1/8" })
	void refusesOtherRanges(String entry) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.checkEntry(entry));
	}

	@Test
	void reportsEveryCallerWhoIsNotKnownAndLogsOneForEachPolicyAndPlace(CapturedOutput output) {
		Policy policy = policy("api");
		for (PolicyKey key : List.of(missing(policy, "Service.one"), missing(policy, "Service.one"),
				missing(policy, "Service.two"), missing(policy("other"), "Service.one"))) {
			for (int call = 0; call < 3; call++) {
				assertThat(key.charge(new CallContext(Caller.NONE, Map.of()), (any) -> 1)).isNotNull();
			}
		}
		assertThat(this.missing).hasSize(12).startsWith("api").endsWith("other");
		assertThat(output.getAll().lines().filter((line) -> line.contains("does not know the caller"))).hasSize(3);
		assertThat(output)
			.contains("Policy 'api' does not know the caller of Service.one, outside a request: no key of "
					+ "[principal, client-ip] is there, and all such calls share one count. Set the policy's "
					+ "'on-missing-key' to 'deny' or 'skip'");
	}

	@Test
	void logsNoCallerWhoIsNotLimitedOrRefused(CapturedOutput output) {
		CallContext unknown = new CallContext(Caller.NONE, Map.of());
		Policy policy = policy("api");
		PolicyKey skipping = missing(policy.withOptions(policy.options().withMissingKey(OnMissingKey.SKIP)),
				"Service.one");
		PolicyKey denying = missing(policy.withOptions(policy.options().withMissingKey(OnMissingKey.DENY)),
				"Service.one");
		assertThat(skipping.charge(unknown, (any) -> 1)).isNull();
		assertThatExceptionOfType(MissingKeyException.class).isThrownBy(() -> denying.charge(unknown, (any) -> 1));
		assertThat(this.missing).containsExactly("api", "api");
		assertThat(output).doesNotContain("does not know the caller");
	}

	@Test
	void reportsNoCallerWhoIsKnown() {
		assertThat(missing(policy("api"), "Service.one").charge(new CallContext(new Alice(), Map.of()), (any) -> 1))
			.isEqualTo(new Charge("api", "principal:alice", 1));
		assertThat(this.missing).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"#form.nope           | the expression '#form.nope' has no value: EL1008E: Property or field 'nope' cannot be",
			"#form.name.substring(99) | the expression '#form.name.substring(99)' has no value: a method threw java.lang.S" })
	void logsAKeyWithoutAValueOnceForEachPlaceAndWithoutTheCaller(String word, String reason, CapturedOutput output) {
		CallContext call = new CallContext(Caller.NONE, Map.of("form", new User("bob")));
		for (String place : List.of("Service.one", "Service.two")) {
			PolicyKey key = this.resolvers.of(policy("api"), List.of(word), scope("form"), place);
			for (int i = 0; i < 3; i++) {
				assertThatIllegalArgumentException().isThrownBy(() -> key.charge(call, (any) -> 1));
			}
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains(" has no value"))).hasSize(2);
		assertThat(output).containsOnlyOnce("For a call of the policy 'api', which Service.one charges, " + reason)
			.containsOnlyOnce("For a call of the policy 'api', which Service.two charges, " + reason)
			.doesNotContain("bob");
	}

	@ParameterizedTest
	@CsvSource({ "#form.nope, has no value", "#form.name, is neither true nor false" })
	void logsAListWithoutAValueOnce(String entry, String reason, CapturedOutput output) {
		PolicyKey key = this.resolvers.of(policy("api").withCallerSelectors(exempt(entry)), List.of("global"),
				scope("form"), "Service.one");
		for (int i = 0; i < 3; i++) {
			assertThat(key.charge(new CallContext(Caller.NONE, Map.of("form", new User("bob"))), (any) -> 1))
				.isNotNull();
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains(reason))).hasSize(1);
		assertThat(output).doesNotContain("bob");
	}

	@Test
	void needsArgumentsForExpressionsOverThemAndBeans() {
		for (String word : Set.of("#form.name", "#principal.name == #form.name", "bean:tenant:acme")) {
			assertThat(mayNeedArguments(exempt(word))).as(word).isTrue();
		}
		for (String word : Set.of("#principal.plan == 'gold'", "role:ADMIN", "ip:::1")) {
			assertThat(mayNeedArguments(blocked(word))).as(word).isFalse();
		}
	}

	@Test
	void reusesTheChargeOfAKeyFromItsSecondCallOn() {
		PolicyKey key = this.resolvers.of(policy("api"), List.of("#form"), scope("form"), "Service.call");
		CallContext alice = new CallContext(Caller.NONE, Map.of("form", "alice"));
		assertThat(key.charge(alice, (any) -> 2)).isEqualTo(new Charge("api", "expression:alice", 2));
		Charge charge = key.charge(alice, (any) -> 2);
		assertThat(charge).isEqualTo(new Charge("api", "expression:alice", 2));
		assertThat(key.charge(alice, (any) -> 2)).isSameAs(charge);
		assertThat(key.charge(new CallContext(Caller.NONE, Map.of("form", "bob")), (any) -> 2))
			.isEqualTo(new Charge("api", "expression:bob", 2));
	}

	private boolean mayNeedArguments(CallerSelectors callers) {
		return this.resolvers.mayNeedArguments(policy("api").withCallerSelectors(callers), List.of("global"),
				scope("form"));
	}

	private ExpressionScope scope(String... arguments) {
		return this.resolvers.scope()
			.withArguments(Stream.of(arguments).collect(Collectors.toMap((name) -> name, (name) -> Object.class)));
	}

	private @Nullable Charge charge(CallerSelectors callers, Caller caller) {
		Policy policy = new Policy("api", List.of(Limit.parse("5/1m", Algorithm.TOKEN_BUCKET)), List.of("global"))
			.withCallerSelectors(callers);
		Map<String, @Nullable Object> arguments = Map.of("form", new User("bob"), "principal", new User("mallory"));
		return this.resolvers.of(policy, callers.keys(), scope("form", "principal"), "Service.call")
			.charge(new CallContext(caller, arguments), (any) -> 1);
	}

	private PolicyKey missing(Policy policy, String place) {
		return this.resolvers.of(policy, List.of("principal", "client-ip"), scope(), place);
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("5/1m", Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

	private static CallerSelectors exempt(String... entries) {
		return new CallerSelectors(List.of("global"), null, List.of(entries), List.of());
	}

	private static CallerSelectors blocked(String... entries) {
		return new CallerSelectors(List.of("global"), null, List.of(), List.of(entries));
	}

	record User(String name) {

	}

	record Account(String name, String plan) implements Principal {

		@Override
		public String getName() {
			return this.name;
		}

		public String getPlan() {
			return this.plan;
		}

	}

	private static final class Alice implements Caller {

		@Override
		public String remoteAddress() {
			return "10.0.0.1";
		}

		@Override
		public Principal user() {
			return new Account("alice", "gold");
		}

		@Override
		public boolean hasRole(String role) {
			return role.equals("ADMIN");
		}

		@Override
		public List<String> headers(String name) {
			return switch (name.toLowerCase(Locale.ROOT)) {
				case "x-plan" -> List.of("gold");
				case "x-forwarded-for" -> List.of("192.0.2.1");
				default -> List.of();
			};
		}

	}

}
