package io.github.ratelimit.autoconfigure.login;

import java.util.UUID;
import java.util.function.Supplier;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.login.LimitedReactiveAuthenticationManager;
import io.github.ratelimit.spring.login.LoginLimiter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * A customizer that limits wrong passwords in every filter chain. Spring Security does
 * not tell the manager of a chain, so that this one creates the same manager, and sets it
 * again with limits.
 */
final class ReactiveLogins implements Customizer<ServerHttpSecurity>, SmartInitializingSingleton {

	private final Supplier<LoginLimiter> limiter;

	private final ListableBeanFactory beans;

	private final FilterChains chains;

	private final Supplier<ReactiveAuthenticationManager> manager = SingletonSupplier.of(this::limited);

	private volatile boolean limitsAny;

	ReactiveLogins(ObjectProvider<LoginLimiter> limiter, ConfigurableListableBeanFactory beans) {
		this.limiter = SingletonSupplier.of(limiter::getObject);
		this.beans = beans;
		this.chains = new FilterChains(SecurityWebFilterChain.class, beans);
	}

	/** Logins need their exchange earlier than Spring's own filter provides it. */
	@Override
	public void customize(ServerHttpSecurity http) {
		http.addFilterAt(new ServerWebExchangeContextFilter(), SecurityWebFiltersOrder.FIRST);
		http.authenticationManager(this.manager.get());
		this.limitsAny = true;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.limitsAny && this.chains.areBuilt()) {
			throw nothingToLimit();
		}
	}

	private static InvalidRateLimitConfigurationException nothingToLimit() {
		return LoginProperties.nothingToLimit("no filter chain that ServerHttpSecurity builds authenticates users",
				"Add a ReactiveUserDetailsService or ReactiveAuthenticationManager");
	}

	private ReactiveAuthenticationManager limited() {
		ReactiveAuthenticationManager own = find(ReactiveAuthenticationManager.class);
		return new LimitedReactiveAuthenticationManager((own != null) ? own : standard(), this.limiter);
	}

	private ReactiveAuthenticationManager standard() {
		ReactiveUserDetailsService users = find(ReactiveUserDetailsService.class);
		if (users == null) {
			throw nothingToLimit();
		}
		return processed(manager(users));
	}

	private ReactiveAuthenticationManager manager(ReactiveUserDetailsService users) {
		PasswordEncoder passwords = this.beans.getBeanProvider(PasswordEncoder.class)
			.getIfUnique(PasswordEncoderFactories::createDelegatingPasswordEncoder);
		UserDetailsRepositoryReactiveAuthenticationManager manager = new UserDetailsRepositoryReactiveAuthenticationManager(
				withPlaceholder(users, passwords));
		manager.setPasswordEncoder(passwords);
		this.beans.getBeanProvider(ReactiveUserDetailsPasswordService.class)
			.ifUnique(manager::setUserDetailsPasswordService);
		this.beans.getBeanProvider(ReactiveCompromisedPasswordChecker.class)
			.ifUnique(manager::setCompromisedPasswordChecker);
		return manager;
	}

	/**
	 * Returns users with a placeholder for all other names, which cannot log in. A
	 * password is checked for each name, as Spring Security does for servlets, so that
	 * the response takes as long.
	 */
	private static ReactiveUserDetailsService withPlaceholder(ReactiveUserDetailsService users,
			PasswordEncoder passwords) {
		UserDetails placeholder = User.withUsername("placeholder")
			.password(String.valueOf(passwords.encode(UUID.randomUUID().toString())))
			.credentialsExpired(true)
			.build();
		return (name) -> users.findByUsername(name)
			.onErrorResume(UsernameNotFoundException.class, (ex) -> Mono.empty())
			.defaultIfEmpty(placeholder);
	}

	private ReactiveAuthenticationManager processed(ReactiveAuthenticationManager manager) {
		return this.beans
			.<ObjectPostProcessor<ReactiveAuthenticationManager>>getBeanProvider(
					ResolvableType.forClassWithGenerics(ObjectPostProcessor.class, ReactiveAuthenticationManager.class))
			.getIfUnique(ObjectPostProcessor::identity)
			.postProcess(manager);
	}

	private <T> @Nullable T find(Class<T> type) {
		return this.beans.getBeanProvider(type).getIfAvailable();
	}

}
