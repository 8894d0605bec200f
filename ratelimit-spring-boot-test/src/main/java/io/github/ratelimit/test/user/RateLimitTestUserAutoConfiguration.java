package io.github.ratelimit.test.user;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestWrapper;

/**
 * {@link AutoConfiguration Auto-configuration} for the users of tests that call services
 * directly. It comes after all other sources of callers, as they precede a user outside a
 * request.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(SecurityContextHolder.class)
final class RateLimitTestUserAutoConfiguration {

	@Bean("io.github.ratelimit.testContextUser")
	ContextUser rateLimitTestContextUser() {
		return new ContextUser();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpServletRequest.class, SecurityContextHolderAwareRequestWrapper.class })
	static class MockRequests {

		@Bean("io.github.ratelimit.testMockRequestUser")
		MockRequestUser rateLimitTestMockRequestUser() {
			return new MockRequestUser();
		}

	}

}
