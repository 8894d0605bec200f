package io.github.ratelimit.autoconfigure;

import java.util.function.Supplier;

import io.github.ratelimit.Policies;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.method.RequestSource;
import io.github.ratelimit.spring.web.RateLimitExceptionResolver;
import io.github.ratelimit.spring.web.RateLimitFilter;
import io.github.ratelimit.spring.web.RateLimitHandlerInterceptor;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.ServletAnswers;
import io.github.ratelimit.spring.web.ServletCors;
import io.github.ratelimit.spring.web.ServletDoor;
import io.github.ratelimit.spring.web.ServletHandlers;
import io.github.ratelimit.spring.web.ServletRequests;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} for rules, headers and early decisions in
 * Spring MVC.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebMvcConfigurer.class)
public final class RateLimitServletAutoConfiguration {

	/** What rules of each phase stand before or after. */
	static final String SECURITY_ORDER = "${spring.security.filter.order:-100}";

	@Bean
	RateLimitFilter rateLimitFilterBeforeSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletDoor> door) {
		return beforeSecurity(security, door);
	}

	@Bean
	RateLimitFilter rateLimitFilterAfterSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletDoor> door) {
		return afterSecurity(security, door);
	}

	/** After the application's interceptors, which may set what keys are made of. */
	@Bean
	WebMvcConfigurer rateLimitInterceptorConfigurer(ObjectProvider<ServletDoor> door) {
		RateLimitHandlerInterceptor interceptor = new RateLimitHandlerInterceptor(
				SingletonSupplier.of(door::getObject));
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE);
			}

		};
	}

	@Bean
	ServletDoor rateLimitServletDoor(RateLimiter limiter, RateLimitRules rules, ServletRequests requests,
			ServletHandlers handlers, ServletAnswers answers) {
		return new ServletDoor(limiter, rules, requests, handlers, answers);
	}

	@Bean
	RateLimitRules rateLimitRules(RateLimitProperties properties, Policies policies, KeyResolvers keys,
			@Qualifier("mvcPatternParser") ObjectProvider<PathPatternParser> paths,
			ObjectProvider<ReservedPathsSource> reserved) {
		PathPatternParser parser = paths.getIfAvailable(() -> PathPatternParser.defaultInstance);
		return new RateLimitRules(new RuleReader(policies, keys, parser).read(properties.rules()),
				HandlerBeans.reserved(reserved, parser));
	}

	@Bean
	ServletRequests rateLimitServletRequests(RateLimitProperties properties,
			ObjectProvider<ServletCallerSource> callers) {
		return new ServletRequests(properties.http().headers(), callers.getIfAvailable(ServletCallerSource::new)::of);
	}

	@Bean
	RequestSource rateLimitRequestSource(ServletRequests requests) {
		return requests::current;
	}

	@Bean
	ServletHandlers rateLimitServletHandlers(ListableBeanFactory beans, RateLimitedMethods methods) {
		return new ServletHandlers(SingletonSupplier.of(() -> HandlerBeans.inOrder(beans, HandlerMapping.class)),
				HandlerBeans.limitsOnThreads(methods, beans));
	}

	@Bean
	ServletCors rateLimitServletCors(ListableBeanFactory beans, ServletHandlers handlers) {
		Supplier<ServletCorsFilters> filters = SingletonSupplier.of(() -> new ServletCorsFilters(beans));
		return new ServletCors((request) -> filters.get().apply(request), handlers);
	}

	@Bean
	ServletAnswers rateLimitServletAnswers(
			@Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> exceptions,
			ServletCors cors) {
		return new ServletAnswers(exceptions::getObject, cors);
	}

	@Bean
	RateLimitExceptionResolver rateLimitExceptionResolver(ObjectProvider<ServletDoor> door,
			@Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> exceptions) {
		return new RateLimitExceptionResolver(SingletonSupplier.of(door::getObject), exceptions::getObject);
	}

	static RateLimitFilter beforeSecurity(int security, ObjectProvider<ServletDoor> door) {
		return new RateLimitFilter(Phase.BEFORE_SECURITY, security - 2, SingletonSupplier.of(door::getObject));
	}

	static RateLimitFilter afterSecurity(int security, ObjectProvider<ServletDoor> door) {
		return new RateLimitFilter(Phase.AFTER_SECURITY, security + 10, SingletonSupplier.of(door::getObject));
	}

}
