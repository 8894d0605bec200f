package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.PolicyLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class PolicyTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("5/1m"));

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a\"b", "a{b}", "a\r\nb", "\u00e9" })
	void refusesNamesThatAHeaderOrKeyCannotContain(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Policy(name, List.of(LIMIT), List.of("global")))
			.withMessageContaining("letters, digits, dots, underscores or hyphens");
	}

	@Test
	void refusesNamesOverSixtyFourCharacters() {
		assertThat(new Policy("x".repeat(64), List.of(LIMIT), List.of("global")).limits()).containsExactly(LIMIT);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Policy("x".repeat(65), List.of(LIMIT), List.of("global")));
	}

	@Test
	void refusesToLimitNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Policy("p", List.of(), List.of("global")))
			.withMessage("there must be at least one limit, and at most 100, and there are 0");
	}

	@Test
	void refusesAPolicyWithoutKeys() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Policy("p", List.of(LIMIT), List.of()))
			.withMessage("policy 'p' must have at least one key");
	}

	@Test
	void refusesTheSameLimitTwice() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Policy("p", List.of(LIMIT, LIMIT), List.of("global")))
			.withMessage("the limit 5/1m is listed twice");
	}

	@Test
	void refusesCostsThatItCanNeverAdmit() {
		Policy policy = new Policy("p", List.of(LIMIT), List.of("global"));
		assertThatNoException().isThrownBy(() -> policy.requireSatisfiable(5));
		assertThatExceptionOfType(UnsatisfiableCostException.class).isThrownBy(() -> policy.requireSatisfiable(6));
		PolicyOptions atMostFour = PolicyOptions.STANDARD.withMaxCost(new PolicyOptions.MaxCost(4, false));
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> policy.withOptions(atMostFour).requireSatisfiable(5));
		PolicyOptions clamped = PolicyOptions.STANDARD.withMaxCost(new PolicyOptions.MaxCost(4, true));
		assertThatNoException().isThrownBy(() -> policy.withOptions(clamped).requireSatisfiable(6));
	}

	@Test
	void isFoundByName() {
		Policy policy = new Policy("p", List.of(LIMIT), List.of("global"));
		Policies policies = new Policies(List.of(policy));
		assertThat(policies.get("p")).isSameAs(policy);
		assertThatIllegalArgumentException().isThrownBy(() -> policies.add(policy))
			.withMessage("there is already a policy named 'p'");
	}

	@Test
	void isReplacedByName() {
		Policies policies = new Policies(List.of(new Policy("p", List.of(LIMIT), List.of("global"))));
		Policy other = new Policy("p", List.of(LIMIT.withBurst(9)), List.of("global"));
		policies.replace(other);
		assertThat(policies.get("p")).isSameAs(other);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> policies.replace(new Policy("q", List.of(LIMIT), List.of("global"))))
			.withMessage("there is no policy named 'q'; there are [p]");
	}

	@Test
	void isListedByName() {
		Policies policies = new Policies(List.of());
		for (String name : List.of("b", "a", "c")) {
			policies.add(new Policy(name, List.of(LIMIT), List.of("global")));
		}
		assertThat(policies.all()).extracting(Policy::name).containsExactly("a", "b", "c");
	}

	@ParameterizedTest
	@CsvSource({ "100/1m, 50", "50/1m, 50", "49/1m, 0", "100/1m sliding-window-log, 0" })
	void takesPermitsInAdvanceOnlyOfLimitsThatLetIt(String limit, long prefetch) {
		Policy policy = new Policy("p", List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1000/1m"))),
				List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withPrefetch(50));
		Policy other = policy.withLimits(List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)));
		assertThat(other.effectiveLimits(null).enforced()).extracting(PolicyLimit::prefetch).containsExactly(prefetch);
	}

}
