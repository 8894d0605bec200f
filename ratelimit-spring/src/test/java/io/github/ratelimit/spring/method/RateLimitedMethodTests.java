package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.TestResolvers;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The charges of limited methods.
 */
class RateLimitedMethodTests {

	private final RateLimitedMethods methods = new RateLimitedMethods(
			new ChargeFactory(new Policies(List.of()), PolicyOptions.STANDARD, TestResolvers.create(), (text) -> text),
			(method, type) -> false);

	/** The limiter resolves an unmodifiable list once, by its identity. */
	@Test
	void reusesConstantChargesAsAnUnmodifiableList() throws NoSuchMethodException {
		RateLimitedMethod method = Objects
			.requireNonNull(this.methods.find(Jobs.class.getDeclaredMethod("run"), Jobs.class));
		List<Charge> charges = method.charges(Caller.NONE).charges();
		assertThat(charges).hasSize(2).isSameAs(method.charges(Caller.NONE).charges());
		assertThat(List.copyOf(charges)).isSameAs(charges);
	}

	static class Jobs {

		@RateLimited(policy = "second", limit = "1/1s")
		@RateLimited(policy = "hour", limit = "100/1h")
		void run() {
		}

	}

}
