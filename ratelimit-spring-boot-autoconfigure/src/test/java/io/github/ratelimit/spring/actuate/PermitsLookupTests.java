package io.github.ratelimit.spring.actuate;

import java.util.Objects;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.spring.actuate.KeyLookup.KeyReport;
import io.github.ratelimit.spring.actuate.KeyLookup.LimitReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint and permits that calls tell.
 */
class PermitsLookupTests {

	private static final String KEY = "principal:alice";

	private final ApplicationContextRunner runner = RateLimitContext.inMemory()
		.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
				"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.key=principal");

	private final ApplicationContextRunner own = this.runner
		.withPropertyValues("ratelimit.policies.api.permits=claim:rpm", "ratelimit.policies.api.max-permits=1000");

	@Test
	void areShownWithThePolicy() {
		this.own.run((context) -> assertThat(endpoint(context).report().policies().get("api")).extracting("permits")
			.isEqualTo(new OwnPermits("claim:rpm", 1000)));
	}

	@Test
	void areTakenIntoALookUp() {
		this.own.run((context) -> {
			KeyReport own = look(context, 25L);
			assertThat(own.limits()).extracting(LimitReport::limit).containsExactly("25/1m");
			assertThat(own.limitsFrom()).isEqualTo("call");
			assertThat(look(context, 5000L).limits()).extracting(LimitReport::limit).containsExactly("1000/1m");
			assertThat(look(context, null).limits()).extracting(LimitReport::limit).containsExactly("10/1m");
			assertThat(look(context, null).limitsFrom()).isEqualTo("configuration");
			assertThat(endpoint(context).look("api", KEY, null, 0L).getStatus()).isEqualTo(400);
		});
	}

	@Test
	void changeNothingOfALookUpIfThePolicyTakesNone() {
		this.runner.run((context) -> {
			assertThat(look(context, 25L).limits()).extracting(LimitReport::limit).containsExactly("10/1m");
			assertThat(look(context, 25L).limitsFrom()).isEqualTo("configuration");
		});
	}

	private static KeyReport look(ApplicationContext context, @Nullable Long permits) {
		return (KeyReport) Objects.requireNonNull(endpoint(context).look("api", KEY, null, permits).getBody());
	}

	private static RateLimitsEndpoint endpoint(ApplicationContext context) {
		return context.getBean(RateLimitsEndpoint.class);
	}

}
