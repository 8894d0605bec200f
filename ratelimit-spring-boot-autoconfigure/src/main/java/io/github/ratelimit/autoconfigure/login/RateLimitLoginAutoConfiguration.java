package io.github.ratelimit.autoconfigure.login;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Login;
import io.github.ratelimit.autoconfigure.reload.ConditionalOnReload;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.autoconfigure.reload.ReloadableSection;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.key.TypedName;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.login.AccountNames;
import io.github.ratelimit.spring.login.LoginLimiter;
import io.github.ratelimit.spring.login.LoginPolicies;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of wrong passwords around
 * Spring Security's authentication.
 */
@AutoConfiguration(after = { RateLimitServletAutoConfiguration.class, RateLimitReactiveAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional(LoginProperties.Configured.class)
@ConditionalOnWebApplication
public final class RateLimitLoginAutoConfiguration {

	private static final String SECURITY = "org.springframework.security.config.Customizer";

	/** The limits of an application with Spring Security. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = SECURITY)
	@Import({ ServletLoginConfiguration.class, ReactiveLoginConfiguration.class })
	static class Limits {

		@Bean("io.github.ratelimit.loginPolicies")
		LoginPolicies rateLimitLoginPolicies(RateLimitProperties properties, Policies policies, KeyResolvers keys,
				ObjectProvider<AccountNames> accounts) {
			Login login = properties.login();
			return LoginProperties.checked(login, new LoginPolicies(LoginProperties.names(login), policies, keys,
					accounts.getIfAvailable(() -> TypedName::of)));
		}

		@Bean("io.github.ratelimit.loginLimiter")
		LoginLimiter rateLimitLoginLimiter(LoginPolicies policies, RateLimiter limiter, RateLimitStore store) {
			return new LoginLimiter(policies, limiter, store);
		}

		/**
		 * Reloads the policies of an application that has limited logins at its start.
		 */
		@Bean("io.github.ratelimit.loginReload")
		@ConditionalOnReload
		Reloadable rateLimitLoginReload(LoginLimiter limiter) {
			return new ReloadableSection(LoginProperties.NAME, (properties, policies) -> {
				Login login = properties.properties().login();
				LoginPolicies checked = LoginProperties.checked(login,
						limiter.policies().by(LoginProperties.names(login), policies));
				return () -> limiter.replace(checked);
			});
		}

		@Bean("io.github.ratelimit.loginPolicyUse")
		PolicyUse rateLimitLoginPolicyUse(LoginLimiter limiter) {
			return PolicyUse.of(LoginProperties.PREFIX, limiter.policies()::names);
		}

	}

	/** Stops an application that lacks Spring Security. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(SECURITY)
	static class MissingSecurity {

		@Bean("io.github.ratelimit.missingSecurity")
		static BeanFactoryPostProcessor rateLimitMissingSecurity() {
			return (beans) -> {
				throw LoginProperties.nothingToLimit("Spring Security is not on the class path",
						"Add spring-boot-starter-security");
			};
		}

	}

}
