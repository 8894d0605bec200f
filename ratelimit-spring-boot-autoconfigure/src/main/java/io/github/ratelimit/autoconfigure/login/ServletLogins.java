package io.github.ratelimit.autoconfigure.login;

import java.util.function.Supplier;

import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.login.LimitedAuthenticationManager;
import io.github.ratelimit.spring.login.LoginLimiter;
import io.github.ratelimit.spring.web.servlet.RejectionFilter;
import io.github.ratelimit.spring.web.servlet.ServletRequestLimiter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.logout.LogoutFilter;
import org.springframework.util.function.SingletonSupplier;

/**
 * A customizer that limits wrong passwords in every filter chain. It replaces the
 * authentication manager that the chain's form login, HTTP basic and one-time tokens
 * share.
 */
final class ServletLogins implements Customizer<HttpSecurity>, SmartInitializingSingleton {

	private final Supplier<LoginLimiter> limiter;

	private final Supplier<ServletRequestLimiter> requests;

	private final Supplier<CallerSource> callers;

	private final FilterChains chains;

	private volatile boolean limitsAny;

	ServletLogins(ObjectProvider<LoginLimiter> limiter, ObjectProvider<ServletRequestLimiter> requests,
			ObjectProvider<CallerSource> callers, ConfigurableListableBeanFactory beans) {
		this.limiter = SingletonSupplier.of(limiter::getObject);
		this.requests = SingletonSupplier.of(requests::getObject);
		this.callers = SingletonSupplier.of(() -> CallerSource.firstOf(callers.orderedStream().toList()));
		this.chains = new FilterChains(SecurityFilterChain.class, beans);
	}

	@Override
	public void customize(HttpSecurity http) {
		http.addFilterBefore(new RejectionFilter(this.requests), LogoutFilter.class);
		http.with(new LimitedLogins(), Customizer.withDefaults());
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.limitsAny && this.chains.areBuilt()) {
			throw LoginProperties.nothingToLimit("no filter chain that HttpSecurity builds authenticates users",
					"Add a UserDetailsService, AuthenticationProvider or AuthenticationManager");
		}
	}

	private static boolean mayAuthenticate(AuthenticationManager manager, @Nullable AuthenticationManager global) {
		return global != null || !(manager instanceof ProviderManager providers)
				|| providers.getProviders().stream().anyMatch(ServletLogins::authenticates);
	}

	private static boolean authenticates(AuthenticationProvider provider) {
		return provider.supports(UsernamePasswordAuthenticationToken.class)
				|| provider.supports(OneTimeTokenAuthenticationToken.class);
	}

	/** Configures a chain once its manager is known, before its logins ask for it. */
	private final class LimitedLogins extends AbstractHttpConfigurer<LimitedLogins, HttpSecurity> {

		@Override
		public void configure(HttpSecurity http) {
			AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
			AuthenticationManager global = http.getSharedObject(ApplicationContext.class)
				.getBean(AuthenticationConfiguration.class)
				.getAuthenticationManager();
			if (manager != null && mayAuthenticate(manager, global)) {
				http.setSharedObject(AuthenticationManager.class, new LimitedAuthenticationManager(manager,
						ServletLogins.this.limiter, ServletLogins.this.callers));
				ServletLogins.this.limitsAny = true;
			}
		}

	}

}
