package io.github.ratelimit.autoconfigure.check;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.LocalStore;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.ArgumentProperties;
import io.github.ratelimit.spring.check.DisabledEvents;
import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.LargeLogs;
import io.github.ratelimit.spring.check.OverlappingRules;
import io.github.ratelimit.spring.check.PrincipalKeys;
import io.github.ratelimit.spring.check.RepeatedCharges;
import io.github.ratelimit.spring.check.SelfCalls;
import io.github.ratelimit.spring.check.ShallowRules;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.check.StartChecks;
import io.github.ratelimit.spring.check.UnusedPolicies;
import io.github.ratelimit.spring.event.DecisionEvents;
import io.github.ratelimit.spring.event.RateLimitApproached;
import io.github.ratelimit.spring.event.RateLimitDenied;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRules;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * {@link AutoConfiguration Auto-configuration} for the checks of an application that has
 * started.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
		RateLimitReactiveAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitCheckAutoConfiguration {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	@Bean
	StartChecks rateLimitStartChecks(List<StartCheck> checks, Findings findings) {
		return new StartChecks(checks, findings);
	}

	@Bean
	StartCheck rateLimitDurationCheck(Environment environment) {
		return new PropertyNames(environment)::durationsWithoutUnit;
	}

	@Bean
	StartCheck rateLimitPolicyUseCheck(RateLimitProperties properties, RateLimitedMethods methods,
			ConfigurableListableBeanFactory beans) {
		return new UnusedPolicies(properties.policies().keySet(), new UsedPolicies(properties, methods, beans));
	}

	@Bean
	StartCheck rateLimitRepetitionCheck(RateLimitedMethods methods) {
		return new RepeatedCharges(methods);
	}

	@Bean
	StartCheck rateLimitArgumentCheck(RateLimitedMethods methods) {
		return new ArgumentProperties(methods);
	}

	@Bean
	StartCheck rateLimitSelfCallCheck(RateLimitedMethods methods) {
		return new SelfCalls(methods);
	}

	@Bean
	StartCheck rateLimitLogCheck(LocalStore store, Policies policies) {
		return new LargeLogs(policies::all, store.counts().maxLogBytes(), Runtime.getRuntime().maxMemory());
	}

	@Bean
	@ConditionalOnMissingBean(DecisionEvents.class)
	StartCheck rateLimitEventCheck(AbstractApplicationContext application) {
		return () -> Stream.of(RateLimitDenied.class, RateLimitApproached.class)
			.flatMap((event) -> new DisabledEvents(application::getApplicationListeners, event).findings());
	}

	/** Checks of rules. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitRules.class)
	static class Rules {

		@Bean
		StartCheck rateLimitPrincipalCheck(Policies policies, RateLimitRules rules,
				ConfigurableListableBeanFactory beans) {
			return new PrincipalKeys(policies::all, rules::all,
					ClassUtils.isPresent(AUTHENTICATION, beans.getBeanClassLoader()));
		}

		@Bean
		StartCheck rateLimitRuleOverlapCheck(RateLimitedMethods methods, RateLimitRules rules,
				ObjectProvider<Endpoints> endpoints) {
			return new OverlappingRules(methods, rules::all, () -> all(endpoints));
		}

		@Bean
		StartCheck rateLimitShallowRuleCheck(RateLimitRules rules, ObjectProvider<Endpoints> endpoints) {
			return new ShallowRules(rules::all, () -> all(endpoints));
		}

		private static List<Endpoint> all(ObjectProvider<Endpoints> endpoints) {
			return endpoints.stream().flatMap(Endpoints::all).toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping.class)
	static class ServletEndpoints {

		@Bean
		Endpoints rateLimitEndpoints(
				ObjectProvider<org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping> mappings) {
			return () -> mappings.stream()
				.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
				.flatMap((each) -> endpoints(each.getKey().getPatternValues(), each.getValue()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping.class)
	static class ReactiveEndpoints {

		@Bean
		Endpoints rateLimitEndpoints(
				ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping> mappings) {
			return () -> mappings.stream()
				.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
				.flatMap((each) -> endpoints(each.getKey()
					.getPatternsCondition()
					.getPatterns()
					.stream()
					.map(PathPattern::getPatternString)
					.toList(), each.getValue()));
		}

	}

	private static Stream<Endpoint> endpoints(Collection<String> paths, HandlerMethod handler) {
		return paths.stream()
			.map((path) -> new Endpoint(path, handler.getMethod(), ClassUtils.getUserClass(handler.getBeanType())));
	}

	/** The endpoints of a web application. */
	interface Endpoints {

		Stream<Endpoint> all();

	}

}
