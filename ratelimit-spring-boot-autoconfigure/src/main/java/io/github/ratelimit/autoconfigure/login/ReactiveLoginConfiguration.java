package io.github.ratelimit.autoconfigure.login;

import io.github.ratelimit.spring.login.LoginLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The limits of wrong passwords in WebFlux applications.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveLoginConfiguration {

	/** Comes before customizers of the application, which may set another manager. */
	@Bean("io.github.ratelimit.logins")
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ReactiveLogins rateLimitLogins(ObjectProvider<LoginLimiter> limiter, ConfigurableListableBeanFactory beans) {
		return new ReactiveLogins(limiter, beans);
	}

}
