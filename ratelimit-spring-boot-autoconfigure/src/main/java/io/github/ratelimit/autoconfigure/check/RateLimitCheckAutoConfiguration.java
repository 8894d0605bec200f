package io.github.ratelimit.autoconfigure.check;

import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.RateLimitEventAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.autoconfigure.store.LocalStore;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.check.DisabledEvents;
import io.github.ratelimit.spring.check.DoubtfulExpressions;
import io.github.ratelimit.spring.check.IdlePenalties;
import io.github.ratelimit.spring.check.LargeLogs;
import io.github.ratelimit.spring.check.RepeatedCharges;
import io.github.ratelimit.spring.check.SelfCalls;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.check.StartChecks;
import io.github.ratelimit.spring.check.UnusedPolicies;
import io.github.ratelimit.spring.event.DecisionEvents;
import io.github.ratelimit.spring.event.RateLimitApproached;
import io.github.ratelimit.spring.event.RateLimitDenied;
import io.github.ratelimit.spring.event.RateLimitShadowDenied;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * {@link AutoConfiguration Auto-configuration} for the checks of an application that has
 * started.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitEventAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitCheckAutoConfiguration {

	@Bean("io.github.ratelimit.startChecks")
	StartChecks rateLimitStartChecks(RateLimitedMethods methods, AbstractApplicationContext application,
			ObjectProvider<StartCheck> others, Findings findings) {
		return new StartChecks(Stream
			.concat(Stream.of(configuration(application), methods(methods, application), events(application)),
					others.stream())
			.toList(), findings);
	}

	private static StartCheck configuration(AbstractApplicationContext application) {
		long logBytes = application.getBean(LocalStore.class).counts().maxLogBytes();
		PropertyNames properties = new PropertyNames(application.getEnvironment());
		return StartCheck.all(properties::durationsWithoutUnit, properties::emptyExpressions,
				LargeLogs.ofHeap(logBytes, Runtime.getRuntime().maxMemory()), logs(application, logBytes));
	}

	private static StartCheck logs(AbstractApplicationContext application, long logBytes) {
		Supplier<Collection<Policy>> policies = application.getBean(Policies.class)::all;
		return switch (application.getBean(RateLimitStore.class).name()) {
			case RedisRateLimitStore.NAME -> LargeLogs.inRedis(policies);
			case MemoryRateLimitStore.NAME -> LargeLogs.inMemory(policies, logBytes);
			default -> Stream::empty;
		};
	}

	private static StartCheck methods(RateLimitedMethods methods, AbstractApplicationContext application) {
		RateLimitProperties properties = application.getBean(SourcedProperties.class)
			.addTo(application.getBean(RateLimitProperties.class));
		return StartCheck.all(
				new UnusedPolicies(properties.policies().keySet(),
						new UsedPolicies(properties, methods, application.getBeanFactory())),
				new IdlePenalties(PenaltyReader.withoutCaller(properties), methods,
						() -> LimiterUse.isPossible(application.getBeanFactory())),
				new RepeatedCharges(methods), new DoubtfulExpressions(methods), new SelfCalls(methods),
				new UnpausedListeners(methods, application::containsBean));
	}

	private static StartCheck events(AbstractApplicationContext application) {
		if (application.getBeanProvider(DecisionEvents.class).stream().findAny().isPresent()) {
			return Stream::empty;
		}
		return () -> Stream.of(RateLimitDenied.class, RateLimitShadowDenied.class, RateLimitApproached.class)
			.flatMap((event) -> new DisabledEvents(application::getApplicationListeners, event).findings());
	}

}
