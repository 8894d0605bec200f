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
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.method.RateLimitedMethods;
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
import io.github.ratelimit.spring.web.reactive.ReactiveHandlerLookup;
import io.github.ratelimit.spring.web.reactive.ReactiveRateLimits;
import io.github.ratelimit.spring.web.reactive.ReactiveRejections;
import io.github.ratelimit.spring.web.reactive.ReactiveRequestLimiter;
import io.github.ratelimit.spring.web.reactive.ReactiveRequests;
import io.github.ratelimit.spring.web.reactive.RewrittenPathWebFilter;

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

	@Bean
	RateLimitWebFilter rateLimitFilterBeforeSecurity(ObjectProvider<ReactiveRequestLimiter> limiter) {
		return new RateLimitWebFilter(Phase.BEFORE_SECURITY, SECURITY - 2, SingletonSupplier.of(limiter::getObject));
	}

	@Bean
	RateLimitWebFilter rateLimitFilterAfterSecurity(ObjectProvider<ReactiveRequestLimiter> limiter) {
		return new RateLimitWebFilter(Phase.AFTER_SECURITY, SECURITY + 10, SingletonSupplier.of(limiter::getObject));
	}

	@Bean
	RewrittenPathWebFilter rateLimitFilterOfRewrittenPaths(ObjectProvider<ReactiveRequestLimiter> limiter) {
		return new RewrittenPathWebFilter(SingletonSupplier.of(limiter::getObject));
	}

	@Bean
	RateLimitHandlerAdapter rateLimitHandlerAdapter(ObjectProvider<ReactiveRequestLimiter> limiter,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> next) {
		return new RateLimitHandlerAdapter(SingletonSupplier.of(limiter::getObject),
				SingletonSupplier.of(next::getObject));
	}

	@Bean
	WebFluxConfigurer rateLimitWebFluxConfigurer(ObjectProvider<ReactiveRequests> requests) {
		return new WebFluxConfigurer() {

			@Override
			public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
				resolvers
					.addCustomResolver(new ReactiveDecisionArgumentResolver(SingletonSupplier.of(requests::getObject)));
			}

		};
	}

	@Bean
	ReactiveRateLimits rateLimitReactiveRateLimits(ReactiveRequests requests) {
		return new ReactiveRateLimits(requests);
	}

	@Bean
	ReactiveRequestLimiter rateLimitReactiveRequestLimiter(RateLimiter limiter, RateLimitRules rules,
			ReactiveRequests requests, ReactiveHandlerLookup handlers, ReactiveRejections rejections) {
		return new ReactiveRequestLimiter(limiter, rules, requests, handlers, rejections);
	}

	@Bean
	RuleReader rateLimitRuleReader(KeyResolvers keys,
			@Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mapping) {
		return new RuleReader(keys,
				mapping.stream()
					.map(AbstractHandlerMapping::getPathPatternParser)
					.findFirst()
					.orElse(PathPatternParser.defaultInstance));
	}

	@Bean
	RateLimitRules rateLimitRules(RateLimitProperties properties, SourcedProperties sourced, Policies policies,
			RuleReader reader, ObjectProvider<ReservedPathsSource> reserved) {
		return new RateLimitRules(reader.read(sourced.addTo(properties).rules(), policies),
				HandlerBeans.reserved(reserved, reader.paths()));
	}

	@Bean
	ReactiveRequests rateLimitReactiveRequests(RateLimitProperties properties, ReactiveCallerSource callers) {
		return new ReactiveRequests(properties.http().headers(), callers::of);
	}

	@Bean
	ReactiveHandlerLookup rateLimitReactiveHandlerLookup(ListableBeanFactory beans, RateLimitedMethods methods,
			ObjectProvider<GatewayRoutes> routes) {
		List<GatewayRoutes> all = routes.stream().toList();
		return new ReactiveHandlerLookup(SingletonSupplier.of(() -> HandlerBeans.inOrder(beans, HandlerMapping.class)),
				methods, all.isEmpty() ? null : (exchange) -> all.stream().anyMatch((each) -> each.serve(exchange)));
	}

	@Bean
	ReactiveRejections rateLimitReactiveRejections(ApplicationContext context,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> exceptions,
			ReactiveHandlerLookup handlers) {
		Supplier<List<HandlerResultHandler>> results = SingletonSupplier
			.of(() -> HandlerBeans.inOrder(context, HandlerResultHandler.class));
		return new ReactiveRejections(exceptions::getObject, results,
				SingletonSupplier.of(() -> ReactiveStandardDenials.in(context, results.get())),
				new ReactiveCors(SingletonSupplier.of(() -> ReactiveCorsFilters.in(context)), handlers));
	}

	@Bean
	RateLimitWebExceptionHandler rateLimitWebExceptionHandler(ReactiveRejections rejections) {
		return new RateLimitWebExceptionHandler(rejections);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitExceptionHandler rateLimitExceptionHandler(RateLimitProperties properties,
			ObjectProvider<RateLimitResponseCustomizer> customizer, ListableBeanFactory beans) {
		return ExceptionHandlers.create(properties.http(), customizer, beans);
	}

	@Bean
	RuleChecks rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			ApplicationContext application) {
		return new RuleChecks(policies, rules, methods, new ReactiveEndpoints(application), EndpointPaths.isSecured());
	}

}
