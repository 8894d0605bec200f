package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RuleReader;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.RuleChecks;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.FirstAdvice;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.reactive.GatewayRoutes;
import io.github.ratelimit.spring.web.reactive.RateLimitHandlerAdapter;
import io.github.ratelimit.spring.web.reactive.RateLimitWebExceptionHandler;
import io.github.ratelimit.spring.web.reactive.RateLimitWebFilter;
import io.github.ratelimit.spring.web.reactive.ReactiveCors;
import io.github.ratelimit.spring.web.reactive.ReactiveDecisionArgumentResolver;
import io.github.ratelimit.spring.web.reactive.ReactiveExceptionHandler;
import io.github.ratelimit.spring.web.reactive.ReactiveHandlerLookup;
import io.github.ratelimit.spring.web.reactive.ReactiveRateLimits;
import io.github.ratelimit.spring.web.reactive.ReactiveRejections;
import io.github.ratelimit.spring.web.reactive.ReactiveRequestLimiter;
import io.github.ratelimit.spring.web.reactive.ReactiveRequests;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} for rules, headers and early decisions in
 * WebFlux.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
public final class RateLimitReactiveAutoConfiguration {

	/** The order of Spring Security's reactive filter. */
	private static final int SECURITY = -100;

	@Bean("io.github.ratelimit.filterBeforeSecurity")
	RateLimitWebFilter rateLimitFilterBeforeSecurity(ObjectProvider<ReactiveRequestLimiter> limiter) {
		return new RateLimitWebFilter(Phase.BEFORE_SECURITY, SECURITY - 2, SingletonSupplier.of(limiter::getObject));
	}

	@Bean("io.github.ratelimit.filterAfterSecurity")
	RateLimitWebFilter rateLimitFilterAfterSecurity(ObjectProvider<ReactiveRequestLimiter> limiter) {
		return new RateLimitWebFilter(Phase.AFTER_SECURITY, SECURITY + 10, SingletonSupplier.of(limiter::getObject));
	}

	@Bean("io.github.ratelimit.handlerAdapter")
	RateLimitHandlerAdapter rateLimitHandlerAdapter(ObjectProvider<ReactiveRequestLimiter> limiter,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> next) {
		return new RateLimitHandlerAdapter(SingletonSupplier.of(limiter::getObject),
				SingletonSupplier.of(next::getObject));
	}

	@Bean("io.github.ratelimit.webFluxConfigurer")
	WebFluxConfigurer rateLimitWebFluxConfigurer(ObjectProvider<ReactiveRequests> requests) {
		return new WebFluxConfigurer() {

			@Override
			public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
				resolvers
					.addCustomResolver(new ReactiveDecisionArgumentResolver(SingletonSupplier.of(requests::getObject)));
			}

		};
	}

	@Bean("io.github.ratelimit.reactiveRateLimits")
	ReactiveRateLimits rateLimitReactiveRateLimits(ReactiveRequests requests) {
		return new ReactiveRateLimits(requests);
	}

	@Bean("io.github.ratelimit.reactiveRequestLimiter")
	ReactiveRequestLimiter rateLimitReactiveRequestLimiter(RateLimiter limiter, RateLimitRules rules,
			ReactiveRequests requests, ReactiveHandlerLookup handlers, ReactiveRejections rejections) {
		return new ReactiveRequestLimiter(limiter, rules, requests, handlers, rejections);
	}

	@Bean("io.github.ratelimit.ruleReader")
	RuleReader rateLimitRuleReader(KeyResolvers keys,
			@Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mapping) {
		return new RuleReader(keys,
				mapping.stream()
					.map(AbstractHandlerMapping::getPathPatternParser)
					.findFirst()
					.orElse(PathPatternParser.defaultInstance));
	}

	@Bean("io.github.ratelimit.rules")
	RateLimitRules rateLimitRules(RateLimitProperties properties, SourcedProperties sourced, Policies policies,
			RuleReader reader, ObjectProvider<ReservedPathsSource> reserved) {
		return new RateLimitRules(reader.read(sourced.addTo(properties).rules(), policies),
				HandlerBeans.reserved(reserved, reader.paths()));
	}

	@Bean("io.github.ratelimit.reactiveRequests")
	ReactiveRequests rateLimitReactiveRequests(RateLimitProperties properties, ReactiveCallerSource callers) {
		return new ReactiveRequests(properties.http().headers(), callers::of);
	}

	@Bean("io.github.ratelimit.reactiveHandlerLookup")
	ReactiveHandlerLookup rateLimitReactiveHandlerLookup(ListableBeanFactory beans, RateLimitedMethods methods,
			ObjectProvider<GatewayRoutes> routes) {
		List<GatewayRoutes> all = routes.stream().toList();
		return new ReactiveHandlerLookup(SingletonSupplier.of(() -> HandlerBeans.inOrder(beans, HandlerMapping.class)),
				methods, all.isEmpty() ? null : (exchange) -> all.stream().anyMatch((each) -> each.serve(exchange)));
	}

	@Bean("io.github.ratelimit.reactiveRejections")
	ReactiveRejections rateLimitReactiveRejections(ApplicationContext context,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> exceptions,
			ReactiveHandlerLookup handlers, ReactiveRequests requests) {
		Supplier<List<HandlerResultHandler>> results = SingletonSupplier
			.of(() -> HandlerBeans.inOrder(context, HandlerResultHandler.class));
		return new ReactiveRejections(exceptions::getObject, results,
				SingletonSupplier.of(() -> ReactiveStandardDenials.in(context, results.get())), requests,
				new ReactiveCors(SingletonSupplier.of(() -> ReactiveCorsFilters.in(context)), handlers));
	}

	@Bean("io.github.ratelimit.webExceptionHandler")
	RateLimitWebExceptionHandler rateLimitWebExceptionHandler(ReactiveRejections rejections) {
		return new RateLimitWebExceptionHandler(rejections);
	}

	@Bean("io.github.ratelimit.firstAdvice")
	static FirstAdvice rateLimitFirstAdvice() {
		return new FirstAdvice();
	}

	@Bean("io.github.ratelimit.exceptionHandler")
	@ConditionalOnMissingBean(RateLimitExceptionHandler.class)
	ReactiveExceptionHandler rateLimitExceptionHandler(RateLimitProperties properties,
			ObjectProvider<RateLimitResponseCustomizer> customizer, ListableBeanFactory beans) {
		return ExceptionHandlers.create(properties.http(), customizer, beans, ReactiveExceptionHandler::new);
	}

	@Bean("io.github.ratelimit.ruleChecks")
	StartCheck rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			ApplicationContext application) {
		ReactiveEndpoints endpoints = new ReactiveEndpoints(application);
		return StartCheck.all(new RuleChecks(policies, rules, methods, endpoints, EndpointPaths.isSecured()),
				EndpointPaths.swallowedDenials(application, methods, endpoints));
	}

}
