package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Policies;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.method.LimitingProxy;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitHandlerAdapter;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.RateLimitWebExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitWebFilter;
import io.github.ratelimit.spring.web.ReactiveAnswers;
import io.github.ratelimit.spring.web.ReactiveCors;
import io.github.ratelimit.spring.web.ReactiveDoor;
import io.github.ratelimit.spring.web.ReactiveHandlers;
import io.github.ratelimit.spring.web.ReactiveRequests;
import io.github.ratelimit.spring.web.RewrittenPathWebFilter;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
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

	/** Where Spring Security's filter stands among reactive ones. */
	private static final int SECURITY = -100;

	@Bean
	RateLimitWebFilter rateLimitFilterBeforeSecurity(ObjectProvider<ReactiveDoor> door) {
		return new RateLimitWebFilter(Phase.BEFORE_SECURITY, SECURITY - 2, SingletonSupplier.of(door::getObject));
	}

	@Bean
	RateLimitWebFilter rateLimitFilterAfterSecurity(ObjectProvider<ReactiveDoor> door) {
		return new RateLimitWebFilter(Phase.AFTER_SECURITY, SECURITY + 10, SingletonSupplier.of(door::getObject));
	}

	@Bean
	RewrittenPathWebFilter rateLimitFilterOfRewrittenPaths(ObjectProvider<ReactiveDoor> door) {
		return new RewrittenPathWebFilter(SingletonSupplier.of(door::getObject));
	}

	@Bean
	RateLimitHandlerAdapter rateLimitHandlerAdapter(ObjectProvider<ReactiveDoor> door,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> next) {
		return new RateLimitHandlerAdapter(SingletonSupplier.of(door::getObject),
				SingletonSupplier.of(next::getObject));
	}

	@Bean
	ReactiveDoor rateLimitReactiveDoor(RateLimiter limiter, RateLimitRules rules, ReactiveRequests requests,
			ReactiveHandlers handlers, ReactiveAnswers answers) {
		return new ReactiveDoor(limiter, rules, requests, handlers, answers);
	}

	@Bean
	RateLimitRules rateLimitRules(RateLimitProperties properties, Policies policies, KeyResolvers keys,
			@Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mapping,
			ObjectProvider<ReservedPathsSource> reserved) {
		PathPatternParser parser = mapping.stream()
			.map(AbstractHandlerMapping::getPathPatternParser)
			.findFirst()
			.orElse(PathPatternParser.defaultInstance);
		return new RateLimitRules(new RuleReader(policies, keys, parser).read(properties.rules()),
				HandlerBeans.reserved(reserved, parser));
	}

	@Bean
	ReactiveRequests rateLimitReactiveRequests(RateLimitProperties properties, ReactiveCallerSource callers) {
		return new ReactiveRequests(properties.http().headers(), callers::of);
	}

	@Bean
	ReactiveHandlers rateLimitReactiveHandlers(ListableBeanFactory beans, RateLimitedMethods methods) {
		return new ReactiveHandlers(SingletonSupplier.of(() -> HandlerBeans.inOrder(beans, HandlerMapping.class)),
				HandlerBeans.limits(methods, beans),
				(bean, method) -> LimitingProxy.of(bean).map((proxy) -> proxy.allowing(method)));
	}

	@Bean
	ReactiveAnswers rateLimitReactiveAnswers(ListableBeanFactory beans,
			@Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> exceptions,
			ReactiveHandlers handlers) {
		return new ReactiveAnswers(exceptions::getObject,
				SingletonSupplier.of(() -> HandlerBeans.inOrder(beans, HandlerResultHandler.class)),
				new ReactiveCors(SingletonSupplier.of(() -> ReactiveCorsFilters.in(beans)), handlers));
	}

	@Bean
	RateLimitWebExceptionHandler rateLimitWebExceptionHandler(ReactiveAnswers answers) {
		return new RateLimitWebExceptionHandler(answers);
	}

}
