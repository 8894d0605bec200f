package io.github.ratelimit.autoconfigure.check;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.RateLimitEventAutoConfiguration;
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
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * {@link AutoConfiguration Auto-configuration} for the checks of an application that has
 * started.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitEventAutoConfiguration.class,
		RateLimitServletAutoConfiguration.class, RateLimitReactiveAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitCheckAutoConfiguration {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	@Bean
	StartChecks rateLimitStartChecks(RateLimitedMethods methods, AbstractApplicationContext application,
			ObjectProvider<StartCheck> others, Findings findings) {
		return new StartChecks(Stream
			.concat(Stream.of(configuration(application), methods(methods, application), events(application)),
					others.stream())
			.toList(), findings);
	}

	private static StartCheck configuration(AbstractApplicationContext application) {
		return StartCheck.all(new PropertyNames(application.getEnvironment())::durationsWithoutUnit,
				new LargeLogs(application.getBean(Policies.class)::all,
						application.getBean(LocalStore.class).counts().maxLogBytes(),
						Runtime.getRuntime().maxMemory()));
	}

	private static StartCheck methods(RateLimitedMethods methods, AbstractApplicationContext application) {
		RateLimitProperties properties = application.getBean(RateLimitProperties.class);
		return StartCheck.all(
				new UnusedPolicies(properties.policies().keySet(),
						new UsedPolicies(properties, methods, application.getBeanFactory())),
				new RepeatedCharges(methods), new ArgumentProperties(methods), new SelfCalls(methods));
	}

	private static StartCheck events(AbstractApplicationContext application) {
		if (application.getBeanProvider(DecisionEvents.class).stream().findAny().isPresent()) {
			return Stream::empty;
		}
		return () -> Stream.of(RateLimitDenied.class, RateLimitApproached.class)
			.flatMap((event) -> new DisabledEvents(application::getApplicationListeners, event).findings());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping.class)
	static class ServletChecks {

		@Bean
		StartCheck rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
				ObjectProvider<org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping> mappings) {
			return ofRules(policies, rules, methods,
					() -> mappings.stream()
						.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
						.flatMap((each) -> endpoints(each.getKey().getPatternValues(),
								each.getKey().getMethodsCondition().getMethods(), each.getValue()))
						.toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping.class)
	static class ReactiveChecks {

		@Bean
		StartCheck rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
				ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping> mappings) {
			return ofRules(policies, rules, methods,
					() -> mappings.stream()
						.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
						.flatMap((each) -> endpoints(patterns(each.getKey()),
								each.getKey().getMethodsCondition().getMethods(), each.getValue()))
						.toList());
		}

		private static List<String> patterns(
				org.springframework.web.reactive.result.method.RequestMappingInfo mapping) {
			return mapping.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString).toList();
		}

	}

	private static StartCheck ofRules(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			Supplier<List<Endpoint>> endpoints) {
		return StartCheck.all(
				new PrincipalKeys(policies::all, rules::all,
						ClassUtils.isPresent(AUTHENTICATION, ClassUtils.getDefaultClassLoader())),
				new OverlappingRules(methods, rules::all, endpoints), new ShallowRules(methods, rules::all, endpoints));
	}

	private static Stream<Endpoint> endpoints(Collection<String> paths, Set<RequestMethod> methods,
			HandlerMethod handler) {
		Set<HttpMethod> http = methods.stream().map(RequestMethod::asHttpMethod).collect(Collectors.toSet());
		return paths.stream()
			.map((path) -> new Endpoint(path, http, handler.getMethod(),
					ClassUtils.getUserClass(handler.getBeanType())));
	}

}
