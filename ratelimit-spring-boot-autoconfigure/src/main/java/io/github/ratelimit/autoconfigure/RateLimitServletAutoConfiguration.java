package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Policies;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.method.RequestSource;
import io.github.ratelimit.spring.web.RateLimitFilter;
import io.github.ratelimit.spring.web.RateLimitHandlerInterceptor;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.ServletAnswers;
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
	private static final String SECURITY_ORDER = "${spring.security.filter.order:-100}";

	@Bean
	RateLimitFilter rateLimitFilterBeforeSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletDoor> door) {
		return new RateLimitFilter(Phase.BEFORE_SECURITY, security - 2, SingletonSupplier.of(door::getObject));
	}

	@Bean
	RateLimitFilter rateLimitFilterAfterSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletDoor> door) {
		return new RateLimitFilter(Phase.AFTER_SECURITY, security + 10, SingletonSupplier.of(door::getObject));
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
			@Qualifier("mvcPatternParser") ObjectProvider<PathPatternParser> paths) {
		return new RuleReader(policies, keys, paths.getIfAvailable(() -> PathPatternParser.defaultInstance))
			.read(properties.rules());
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
				HandlerBeans.limits(methods));
	}

	@Bean
	ServletAnswers rateLimitServletAnswers(
			@Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> exceptions) {
		return new ServletAnswers(exceptions::getObject);
	}

}
