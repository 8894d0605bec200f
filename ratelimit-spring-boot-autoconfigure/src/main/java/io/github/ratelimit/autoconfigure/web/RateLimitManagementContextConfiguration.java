package io.github.ratelimit.autoconfigure.web;

import io.github.ratelimit.spring.web.servlet.RateLimitFilter;
import io.github.ratelimit.spring.web.servlet.ServletRequestLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * {@link ManagementContextConfiguration Configuration} of a separate management server,
 * on which rules limit the endpoints that they name. A reactive server shares the filters
 * of the application.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ServletRequestLimiter.class)
class RateLimitManagementContextConfiguration {

	@Bean("io.github.ratelimit.managementFilterBeforeSecurity")
	RateLimitFilter managementRateLimitFilterBeforeSecurity(
			@Value(RateLimitServletAutoConfiguration.SECURITY_ORDER) int security,
			ObjectProvider<ServletRequestLimiter> limiter) {
		return RateLimitServletAutoConfiguration.beforeSecurity(security, limiter);
	}

	@Bean("io.github.ratelimit.managementFilterAfterSecurity")
	RateLimitFilter managementRateLimitFilterAfterSecurity(
			@Value(RateLimitServletAutoConfiguration.SECURITY_ORDER) int security,
			ObjectProvider<ServletRequestLimiter> limiter) {
		return RateLimitServletAutoConfiguration.afterSecurity(security, limiter);
	}

}
