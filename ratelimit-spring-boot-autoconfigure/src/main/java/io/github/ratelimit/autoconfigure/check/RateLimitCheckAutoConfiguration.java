package io.github.ratelimit.autoconfigure.check;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.RateLimitEventAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.autoconfigure.store.LocalStore;
import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.check.EventChecks;
import io.github.ratelimit.spring.check.MethodChecks;
import io.github.ratelimit.spring.check.PolicyChecks;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.check.StartChecks;
import io.github.ratelimit.spring.event.DecisionEvents;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for the checks of an application that has
 * started.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitEventAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitCheckAutoConfiguration {

	@Bean("io.github.ratelimit.checkedProperties")
	CheckedProperties rateLimitCheckedProperties(RateLimitProperties properties, SourcedProperties sourced,
			Environment environment) {
		return new CheckedProperties(sourced.addTo(properties), () -> environment);
	}

	@Bean("io.github.ratelimit.startChecks")
	StartChecks rateLimitStartChecks(CheckedProperties properties, RateLimitedMethods methods,
			AbstractApplicationContext application, ObjectProvider<StartCheck> others, Findings findings) {
		return new StartChecks(Stream
			.concat(Stream.of(configuration(properties, application), policies(properties, methods, application),
					methods(methods, application), events(application)), others.stream())
			.toList(), findings);
	}

	private static StartCheck configuration(CheckedProperties properties, AbstractApplicationContext application) {
		long logBytes = application.getBean(LocalStore.class).counts().maxLogBytes();
		return StartCheck.all(() -> properties.names().durationsWithoutUnit(),
				() -> properties.names().emptyExpressions(),
				() -> PolicyChecks.largeLogs(logBytes, Runtime.getRuntime().maxMemory()),
				() -> largeLogs(logBytes, application));
	}

	private static Stream<Finding> largeLogs(long logBytes, AbstractApplicationContext application) {
		String store = application.getBean(RateLimitStore.class).name();
		Collection<Policy> policies = application.getBean(Policies.class).all();
		return store.equals(MemoryRateLimitStore.NAME) ? PolicyChecks.largeLogsInMemory(policies, logBytes)
				: application.getBeanProvider(SharedStore.class)
					.stream()
					.map(SharedStore::name)
					.filter(store::equals)
					.flatMap((name) -> PolicyChecks.largeLogsIn(name, policies));
	}

	private static StartCheck policies(CheckedProperties properties, RateLimitedMethods methods,
			AbstractApplicationContext application) {
		ConfigurableListableBeanFactory beans = application.getBeanFactory();
		return StartCheck.all(
				() -> PolicyChecks.unused(properties.get().policies().keySet(), used(properties.get(), methods, beans)),
				() -> penalties(PenaltyReader.keys(properties.get()), methods, application), () -> PolicyChecks
					.chosenPermits(application.getBean(Policies.class).all(), application.getBean(KeyResolvers.class)));
	}

	private static Stream<Finding> penalties(Map<String, List<String>> penalties, RateLimitedMethods methods,
			AbstractApplicationContext application) {
		if (penalties.isEmpty()) {
			return Stream.empty();
		}
		Stream<Finding> idle = LimiterUse.isPossible(application.getBeanFactory()) ? Stream.empty()
				: PolicyChecks.idlePenalties(penalties, methods);
		return Stream.concat(idle,
				PolicyChecks.chosenKeys(penalties, methods, application.getBean(KeyResolvers.class)));
	}

	/**
	 * Returns the policies that an application uses, as far as that is known before its
	 * first call. Code that has the limiter may use any.
	 */
	private static Set<String> used(RateLimitProperties properties, RateLimitedMethods methods,
			ConfigurableListableBeanFactory beans) {
		Set<String> all = properties.policies().keySet();
		Set<String> used = new HashSet<>(PolicyReader.namesInUse(properties));
		used.addAll(methods.byPolicy().keySet());
		beans.getBeanProvider(PolicyUse.class).forEach((use) -> used.addAll(use.byPolicy().keySet()));
		return (used.containsAll(all) || !LimiterUse.isPossible(beans)) ? used : all;
	}

	private static StartCheck methods(RateLimitedMethods methods, AbstractApplicationContext application) {
		MethodChecks checks = new MethodChecks(methods);
		return StartCheck.all(checks::repeatedCharges, checks::doubtfulExpressions, checks::selfCalls,
				() -> checks.unpausedListeners(application::containsBean));
	}

	private static StartCheck events(AbstractApplicationContext application) {
		return () -> application.getBeanProvider(DecisionEvents.class).stream().findAny().isPresent() ? Stream.empty()
				: EventChecks.disabled(application.getApplicationListeners());
	}

}
