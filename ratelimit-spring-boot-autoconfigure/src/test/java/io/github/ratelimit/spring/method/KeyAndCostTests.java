package io.github.ratelimit.spring.method;

import java.math.BigDecimal;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyAndCostTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.two.limits=2/1h", "ratelimit.policies.five.limits=5/1h")
		.withBean(Service.class)
		.withBean("tenant", KeyResolver.class, () -> (call) -> (String) call.arguments().get("tenant"));

	@Test
	void countsByAnExpression() {
		with((service) -> {
			service.byUser(new User("alice"));
			service.byUser(new User("alice"));
			assertDenied(() -> service.byUser(new User("alice")));
			service.byUser(new User("bob"));
		});
	}

	@Test
	void countsByABean() {
		with((service) -> {
			service.byTenant("acme");
			service.byTenant("acme");
			assertDenied(() -> service.byTenant("acme"));
			service.byTenant("other");
		});
	}

	@Test
	void countsCallsWithoutAKeyTogether() {
		with((service) -> {
			service.byTenant(null);
			service.byTenant(" ");
			assertDenied(() -> service.byTenant(""));
		});
	}

	@Test
	void chargesACostByExpressionRoundedUp() {
		with((service) -> {
			service.upload("x".repeat(4000));
			assertDenied(() -> service.upload("x".repeat(1025)));
			service.upload("x".repeat(1024));
			service.upload("");
			assertDenied(() -> service.upload("x"));
		});
	}

	@Test
	void refusesACostThatIsNoneAndChargesNothing() {
		with((service) -> {
			assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> service.costing(-1))
				.withMessage("Policy 'five' cannot charge Service.costing(): "
						+ "the cost '#cost' must not be negative, was -1");
			assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> service.costing("much"))
				.withMessageEndingWith("the cost '#cost' must be a number, was java.lang.String")
				.satisfies((ex) -> assertThat(ex.getStackTrace()).isEmpty());
			assertThatIllegalArgumentException().isThrownBy(() -> service.costing(6))
				.withMessageContaining("'cost' must be at most 5");
			assertThat(service.costing(5)).isEqualTo(5);
		});
	}

	@Test
	void chargesWhatIsBeyondAllNumbersAsTheMaximumCost() {
		this.context
			.withPropertyValues("ratelimit.policies.five.max-cost=4", "ratelimit.policies.five.above-max-cost=clamp")
			.run((context) -> {
				Service service = context.getBean(Service.class);
				service.costing(new BigDecimal("1E+5000000"));
				assertDenied(() -> service.costing(2));
				service.costing(1);
				assertDenied(() -> service.thousandfold(Integer.MAX_VALUE));
			});
	}

	@Test
	void addsUpCostsBeyondAllNumbers() {
		with((service) -> assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> service.twice(1e308))
			.withMessageEndingWith("was 9223372036854775807 or more"));
	}

	@Test
	void refusesArithmeticThatWouldWrapAround() {
		with((service) -> {
			for (int n : new int[] { 536_870_912, 1_073_741_824, Integer.MIN_VALUE }) {
				assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> service.thousandfold(n));
			}
			service.thousandfold(0);
		});
	}

	private void with(Consumer<Service> test) {
		this.context.run((context) -> test.accept(context.getBean(Service.class)));
	}

	private static void assertDenied(Runnable call) {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run);
	}

	record User(String id) {

	}

	static class Service {

		@RateLimited(policy = "two", key = "#user.id")
		public void byUser(User user) {
		}

		@RateLimited(policy = "two", key = "bean:tenant")
		public void byTenant(@Nullable String tenant) {
		}

		@RateLimited(policy = "five", cost = "#text.length() / 1024.0")
		public void upload(String text) {
		}

		@RateLimited(policy = "five", cost = "#n * 1000")
		public void thousandfold(int n) {
		}

		@RateLimited(policy = "five", cost = "#cost")
		@RateLimited(policy = "five", cost = "#cost")
		public void twice(double cost) {
		}

		@RateLimited(policy = "five", cost = "#cost")
		public Object costing(Object cost) {
			return cost;
		}

	}

}
