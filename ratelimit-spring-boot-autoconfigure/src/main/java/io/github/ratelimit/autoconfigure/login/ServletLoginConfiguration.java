package io.github.ratelimit.autoconfigure.login;

import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.login.LoginLimiter;
import io.github.ratelimit.spring.web.servlet.ServletRequestLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The limits of wrong passwords in servlet applications.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletLoginConfiguration {

	/** Comes before customizers that add logins, which ask for their manager later. */
	@Bean("io.github.ratelimit.logins")
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ServletLogins rateLimitLogins(ObjectProvider<LoginLimiter> limiter, ObjectProvider<ServletRequestLimiter> requests,
			ObjectProvider<CallerSource> callers, ConfigurableListableBeanFactory beans) {
		return new ServletLogins(limiter, requests, callers, beans);
	}

}
