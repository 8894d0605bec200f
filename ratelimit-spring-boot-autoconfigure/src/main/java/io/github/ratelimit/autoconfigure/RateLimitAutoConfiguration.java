package io.github.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.CompositeListener;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Http;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.autoconfigure.store.LocalStore;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicySource;
import io.github.ratelimit.spring.control.AutomaticControls;
import io.github.ratelimit.spring.control.ControlEffects;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.OperatorKeys;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.spring.override.OverrideCache;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@link RateLimiter}, its policies,
 * and the {@link Controls} of operators, which are kept where the counts are.
 */
@AutoConfiguration(after = RateLimitStoreAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints({ RateLimitRuntimeHints.class, ExpressionRuntimeHints.class })
public final class RateLimitAutoConfiguration {

	/** Checks the names of properties before there are any other beans. */
	@Bean("io.github.ratelimit.propertyNames")
	static BeanFactoryPostProcessor rateLimitPropertyNames(Environment environment) {
		return (beans) -> new PropertyNames(environment).requireKnown(beans.getBeanClassLoader());
	}

	@Bean("io.github.ratelimit.findings")
	Findings rateLimitFindings(RateLimitProperties properties) {
		return PropertyNames.findings(properties.checks().ignore());
	}

	/** Asks the policy source before policies are needed. */
	@Bean("io.github.ratelimit.sourcedProperties")
	SourcedProperties rateLimitSourcedProperties(ObjectProvider<PolicySource> source) {
		SourcedProperties sourced = new SourcedProperties(source.getIfAvailable());
		sourced.ask();
		return sourced;
	}

	@Bean("io.github.ratelimit.lastReload")
	LastReload rateLimitLastReload(SourcedProperties sourced, Environment environment) {
		return new LastReload(InstantSource.system(), sourced.digest(environment));
	}

	@Bean("io.github.ratelimit.policies")
	@ConditionalOnMissingBean
	Policies rateLimitPolicies(RateLimitProperties properties, SourcedProperties sourced,
			ApplicationContext application, KeyResolvers keyResolvers) {
		RateLimitProperties all = sourced.addTo(properties);
		SchedulesInEffect schedules = SchedulesInEffect.atStart(all, application);
		return new Policies(new PolicyReader(keyResolvers, PolicyReader.standard(all)).read(all, schedules));
	}

	@Bean("io.github.ratelimit.callerBeans")
	CallerBeans rateLimitCallerBeans(BeanFactory beans) {
		return new CallerBeans((name) -> bean(name, KeyResolver.class, beans),
				(name) -> bean(name, PlanResolver.class, beans), (name) -> bean(name, PermitsResolver.class, beans));
	}

	@Bean("io.github.ratelimit.keyResolvers")
	KeyResolvers rateLimitKeyResolvers(RateLimitProperties properties, Environment environment,
			ObjectProvider<RateLimitListener> listeners, ListableBeanFactory beans, Findings findings) {
		ClientIp clientIp = clientIp(properties.http());
		ForwardedHeaders headers = new ForwardedHeaders(environment, beans, properties.http());
		Supplier<RateLimitListener> all = SingletonSupplier
			.of(() -> new CompositeListener(listeners.orderedStream().toList()));
		return new KeyResolvers(SingletonSupplier.of(() -> {
			headers.find().ifPresent(findings::add);
			return clientIp;
		}), beans.getBean(CallerBeans.class), properties.tenant(), all, findings)
			.without(new AbsentVariables(beans).find());
	}

	@Bean("io.github.ratelimit.limiter")
	@ConditionalOnMissingBean
	RateLimiter rateLimitLimiter(Policies policies, RateLimitStore store, LocalStore local,
			ObjectProvider<RateLimitListener> listeners, ListableBeanFactory beans) {
		LimitOverrides overrides = cached(beans.getBeanProvider(LimitOverrides.class).getIfAvailable(),
				beans.getBeanProvider(OverrideCache.class).getIfAvailable());
		return new RateLimiter(policies, store, local.counts(), listeners.orderedStream().toList(), overrides);
	}

	@Bean("io.github.ratelimit.controls")
	@ConditionalOnMissingBean
	Controls rateLimitControls(ApplicationContext beans, Policies policies, OperatorKeys keys, RateLimiter limiter) {
		return new Controls(beans.getBean(ControlStore.class),
				new ControlEffects(policies, beans.getBean(KeyResolvers.class).bans(),
						beans.getBean(RateLimitStore.class), beans::publishEvent,
						(policy, key) -> beans.getBeanProvider(Penalties.class)
							.forEach((penalties) -> penalties.forget(policy, key))),
				keys, limiter, beans.getBean(StoreChoice.class).stores().connectTimeout());
	}

	@Bean("io.github.ratelimit.operatorKeys")
	OperatorKeys rateLimitOperatorKeys(KeyResolvers keys, ObjectProvider<KnownKeys> known) {
		return new OperatorKeys(keys, known::stream);
	}

	@Bean("io.github.ratelimit.penalties")
	@Conditional(PenaltyReader.Possible.class)
	Penalties rateLimitPenalties(RateLimitProperties properties, SourcedProperties sourced, RateLimitStore store,
			ObjectProvider<Controls> controls) {
		RateLimitProperties all = sourced.addTo(properties);
		return new Penalties(PenaltyReader.read(all), store, new AutomaticControls(controls::getObject));
	}

	private static LimitOverrides cached(@Nullable LimitOverrides source, @Nullable OverrideCache cache) {
		if (source == null) {
			return LimitOverrides.NONE;
		}
		if (cache == null) {
			throw new InvalidRateLimitConfigurationException(
					"There is a LimitOverrides bean, but no Caffeine to remember its answers",
					"Add com.github.ben-manes.caffeine:caffeine.", null);
		}
		return cache.over(source);
	}

	private static ClientIp clientIp(Http http) {
		int prefix = http.ipv6Prefix();
		PropertyCheck.checked("ratelimit.http.ipv6-prefix", prefix, () -> new ClientIp(List.of(), prefix));
		List<String> proxies = http.trustedProxies();
		return PropertyCheck.checked("ratelimit.http.trusted-proxies", proxies,
				() -> new ClientIp(proxies, prefix, http.clientAddressHeader()));
	}

	private static <T> T bean(String name, Class<T> type, BeanFactory beans) {
		try {
			return beans.getBean(name, type);
		}
		catch (BeansException ex) {
			throw new IllegalArgumentException("there is no " + type.getSimpleName() + " bean named '" + name + "'",
					ex);
		}
	}

}
