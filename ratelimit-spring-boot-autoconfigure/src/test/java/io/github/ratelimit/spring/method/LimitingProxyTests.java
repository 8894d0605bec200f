package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Proxies that do not limit the one method that was decided before, or that know the
 * request.
 */
class LimitingProxyTests {

	@Test
	void hasTheClassOfTheBean() {
		RateLimitContext.inMemory().withBean(Limited.class).run((context) -> {
			Limited bean = context.getBean(Limited.class);
			assertThat(without(bean, "one")).hasSameClassAs(bean);
			RequestCharges request = new RequestCharges((decision) -> {
			});
			assertThat(LimitingProxy.serving(bean, Caller.NONE, request).orElseThrow()).hasSameClassAs(bean);
		});
	}

	@Test
	void limitsAllMethodsButOne() {
		RateLimitContext.inMemory().withBean(Limited.class).run((context) -> {
			Limited proxy = without(context.getBean(Limited.class), "one");
			for (int call = 0; call < 3; call++) {
				assertThat(proxy.one()).isEqualTo(1);
			}
			assertThat(proxy.two()).isEqualTo(2);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(proxy::two);
		});
	}

	@Test
	void leavesTheBeanItself() {
		RateLimitContext.inMemory().withBean(Limited.class).run((context) -> {
			Limited bean = context.getBean(Limited.class);
			assertThat(without(bean, "one").one()).isEqualTo(1);
			assertThat(bean.one()).isEqualTo(1);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(bean::one);
		});
	}

	private static Limited without(Limited bean, String name) throws NoSuchMethodException {
		Method method = Limited.class.getDeclaredMethod(name);
		return (Limited) LimitingProxy.of(bean).orElseThrow().withoutLimitOn(method);
	}

	static class Limited {

		@RateLimited(limit = "1/1h")
		int one() {
			return 1;
		}

		@RateLimited(limit = "1/1h")
		int two() {
			return 2;
		}

	}

}
