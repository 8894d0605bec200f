package io.github.ratelimit.spring.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The permits that calls tell for the limit of their caller.
 */
class CallerPermitsTests {

	private final List<InvalidCostException> mistakes = new ArrayList<>();

	private @Nullable Long ofBean;

	private final KeyResolvers resolvers = new KeyResolvers(
			() -> new ClientIp(List.of(), 64), new CallerBeans(TestResolvers.NO_BEANS.keys(),
					TestResolvers.NO_BEANS.plans(), (name) -> (policy, key, call) -> this.ofBean),
			List.of(), () -> new RateLimitListener() {
				@Override
				public void invalidCost(InvalidCostException mistake) {
					CallerPermitsTests.this.mistakes.add(mistake);
				}
			}, new Findings(List.of()));

	static List<Arguments> numbers() {
		return List.of(Arguments.of(30, 30), Arguments.of(30L, 30), Arguments.of("30", 30), Arguments.of(30.0, 30),
				Arguments.of("3.0E1", 30), Arguments.of(0.2, 1), Arguments.of(29.1, 30), Arguments.of("29.1", 30),
				Arguments.of(new BigDecimal("30.00"), 30), Arguments.of(BigInteger.TWO.pow(100), Long.MAX_VALUE),
				Arguments.of("1E999999999", Long.MAX_VALUE));
	}

	@ParameterizedTest
	@MethodSource("numbers")
	void areTheNumberOfAClaim(Object claim, long permits) {
		assertThat(charge("claim:rpm", claim).permits()).isEqualTo(permits);
		assertThat(charge("#user.claim('rpm')", claim).permits()).isEqualTo(permits);
	}

	@ParameterizedTest
	@NullSource
	void areThoseOfThePolicyWithoutAClaim(@Nullable Object claim) {
		assertThat(charge("claim:rpm", claim).permits()).isNull();
		assertThat(charge("#user.claim('rpm')", claim).permits()).isNull();
		assertThat(charge("bean:contracts", claim).permits()).isNull();
		assertThat(this.mistakes).isEmpty();
	}

	static List<Object> mistakes() {
		return List.of(0, -1, "0", "-7", "secret", "", " 30", "0x1F", "9".repeat(41), Double.NaN, "NaN", "Infinity",
				Double.NEGATIVE_INFINITY, true, List.of(30));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void failTheCallIfTheClaimIsNoNumberOfPermits(Object claim) {
		for (String word : List.of("claim:rpm", "#user.claim('rpm')")) {
			assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> charge(word, claim))
				.withMessageStartingWith("Policy 'api' cannot charge Service.call: the permits '" + word + "' must")
				.withMessageNotContaining("secret");
		}
		assertThat(this.mistakes).hasSize(2);
	}

	@Test
	void areComputedExactly() {
		assertThat(charge("#user.claim('rpm') * 60", 9_007_199_254_740_993L).permits())
			.isEqualTo(9_007_199_254_740_993L * 60);
	}

	@Test
	void failTheCallIfTheExpressionHasNoValue() {
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> charge("#user.claim('rpm') * 60", null));
		assertThatExceptionOfType(InvalidCostException.class)
			.isThrownBy(() -> charge("#user.claim('rpm').most", Map.of()));
	}

	@Test
	void areTheResultOfABean() {
		this.ofBean = 30L;
		assertThat(charge("bean:contracts", null).permits()).isEqualTo(30);
		this.ofBean = 0L;
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> charge("bean:contracts", null))
			.withMessage(
					"Policy 'api' cannot charge Service.call: the permits 'bean:contracts' must be at least 1, was 0");
	}

	@Test
	void hideTheirPolicyIfItIsHidden() {
		Policy hidden = policy("claim:rpm").withOptions(PolicyOptions.STANDARD.withHidden(true));
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> charge(hidden, "secret"))
			.matches(InvalidCostException::isPolicyHidden);
	}

	@Test
	void mayNeedTheArgumentsOfACall() {
		assertThat(this.resolvers.mayNeedArguments(policy("claim:rpm"), List.of("global"), this.resolvers.scope()))
			.isFalse();
		assertThat(this.resolvers.mayNeedArguments(policy("bean:contracts"), List.of("global"), this.resolvers.scope()))
			.isTrue();
	}

	@Test
	void areAmongTheExpressionsToCheck() {
		assertThat(key(policy("#user.claim('rpm') * 60")).expressions()).extracting(ScopedExpression::text)
			.containsExactly("#user.claim('rpm') * 60");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpm", "claim:", "#user.rpm", "#request.header('X-Rpm')", "form:rpm", "header:X Rpm" })
	void areCheckedAtTheStart(String word) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.checkPermits(new OwnPermits(word, 10)));
	}

	private Charge charge(String word, @Nullable Object claim) {
		return charge(policy(word), claim);
	}

	private Charge charge(Policy policy, @Nullable Object claim) {
		Charge charge = key(policy).charge(new CallContext(new Claiming(claim), Map.of()), (any) -> 1);
		assertThat(charge).isNotNull();
		return charge;
	}

	private PolicyKey key(Policy policy) {
		return this.resolvers.of(policy, policy.keys(), this.resolvers.scope(), "Service.call");
	}

	private static Policy policy(String word) {
		return new Policy("api", List.of(Limit.parse("5/1m")), List.of("global"))
			.withCallerSelectors(new CallerSelectors(List.of("global")).withPermits(new OwnPermits(word, 1000)));
	}

	/** A caller whose user has a claim. */
	private record Claiming(@Nullable Object rpm) implements Caller {

		@Override
		public @Nullable Object claim(String name) {
			return name.equals("rpm") ? this.rpm : null;
		}

	}

}
