package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.spring.web.RateLimitFilter;
import io.github.ratelimit.spring.web.ServletDoor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * {@link ManagementContextConfiguration Configuration} of a management server of its own,
 * so that rules which name endpoints limit them there too. A reactive one has the filters
 * of the application by itself.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ServletDoor.class)
class RateLimitManagementContextConfiguration {

	@Bean
	RateLimitFilter managementRateLimitFilterBeforeSecurity(
			@Value(RateLimitServletAutoConfiguration.SECURITY_ORDER) int security, ObjectProvider<ServletDoor> door) {
		return RateLimitServletAutoConfiguration.beforeSecurity(security, door);
	}

	@Bean
	RateLimitFilter managementRateLimitFilterAfterSecurity(
			@Value(RateLimitServletAutoConfiguration.SECURITY_ORDER) int security, ObjectProvider<ServletDoor> door) {
		return RateLimitServletAutoConfiguration.afterSecurity(security, door);
	}

}
