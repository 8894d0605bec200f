package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RuleReader;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.RateLimits;
import io.github.ratelimit.spring.check.RuleChecks;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.FirstAdvice;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.servlet.DecisionArgumentResolver;
import io.github.ratelimit.spring.web.servlet.RateLimitExceptionResolver;
import io.github.ratelimit.spring.web.servlet.RateLimitFilter;
import io.github.ratelimit.spring.web.servlet.RateLimitHandlerInterceptor;
import io.github.ratelimit.spring.web.servlet.ServletCors;
import io.github.ratelimit.spring.web.servlet.ServletExceptionHandler;
import io.github.ratelimit.spring.web.servlet.ServletHandlerLookup;
import io.github.ratelimit.spring.web.servlet.ServletRejections;
import io.github.ratelimit.spring.web.servlet.ServletRequestLimiter;
import io.github.ratelimit.spring.web.servlet.ServletRequests;
import io.github.ratelimit.spring.web.servlet.ServletRouteLimiter;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
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

	/** The order of Spring Security's filter. */
	static final String SECURITY_ORDER = "${spring.security.filter.order:-100}";

	private static final String EXCEPTIONS = "handlerExceptionResolver";

	@Bean("io.github.ratelimit.filterBeforeSecurity")
	RateLimitFilter rateLimitFilterBeforeSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletRequestLimiter> limiter) {
		return beforeSecurity(security, limiter);
	}

	@Bean("io.github.ratelimit.filterAfterSecurity")
	RateLimitFilter rateLimitFilterAfterSecurity(@Value(SECURITY_ORDER) int security,
			ObjectProvider<ServletRequestLimiter> limiter) {
		return afterSecurity(security, limiter);
	}

	/** Adds the interceptor after the application's, which may provide inputs of keys. */
	@Bean("io.github.ratelimit.mvcConfigurer")
	WebMvcConfigurer rateLimitMvcConfigurer(ObjectProvider<ServletRequestLimiter> limiter,
			ObjectProvider<RateLimits> limits) {
		RateLimitHandlerInterceptor interceptor = new RateLimitHandlerInterceptor(
				SingletonSupplier.of(limiter::getObject));
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE);
			}

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(new DecisionArgumentResolver(SingletonSupplier.of(limits::getObject)));
			}

		};
	}

	@Bean("io.github.ratelimit.servletRequestLimiter")
	ServletRequestLimiter rateLimitServletRequestLimiter(RateLimiter limiter, RateLimitRules rules,
			ServletRequests requests, ServletHandlerLookup handlers, ApplicationContext application) {
		return new ServletRequestLimiter(limiter, rules, requests, handlers, rejections(application, handlers));
	}

	@Bean("io.github.ratelimit.servletHandlerLookup")
	ServletHandlerLookup rateLimitServletHandlerLookup(RateLimitedMethods methods, ApplicationContext application) {
		return new ServletHandlerLookup(
				SingletonSupplier.of(() -> HandlerBeans.inOrder(application, HandlerMapping.class)), methods,
				SingletonSupplier
					.of(() -> application.getBeanNamesForType(ServletRouteLimiter.class, true, false).length > 0));
	}

	private static ServletRejections rejections(ApplicationContext application, ServletHandlerLookup handlers) {
		Supplier<ServletCorsFilters> filters = SingletonSupplier.of(() -> new ServletCorsFilters(application));
		return new ServletRejections(() -> application.getBean(EXCEPTIONS, HandlerExceptionResolver.class),
				SingletonSupplier.of(() -> locales(application)),
				SingletonSupplier.of(() -> ServletStandardDenials.in(application)),
				new ServletCors((request) -> filters.get().apply(request), handlers));
	}

	private static LocaleResolver locales(ApplicationContext application) {
		String name = DispatcherServlet.LOCALE_RESOLVER_BEAN_NAME;
		return application.containsBean(name) ? application.getBean(name, LocaleResolver.class)
				: new AcceptHeaderLocaleResolver();
	}

	@Bean("io.github.ratelimit.ruleReader")
	RuleReader rateLimitRuleReader(KeyResolvers keys,
			@Qualifier("mvcPatternParser") ObjectProvider<PathPatternParser> paths) {
		return new RuleReader(keys, paths.getIfAvailable(() -> PathPatternParser.defaultInstance));
	}

	@Bean("io.github.ratelimit.rules")
	RateLimitRules rateLimitRules(RateLimitProperties properties, SourcedProperties sourced, Policies policies,
			RuleReader reader, ObjectProvider<ReservedPathsSource> reserved) {
		return new RateLimitRules(reader.read(sourced.addTo(properties).rules(), policies),
				HandlerBeans.reserved(reserved, reader.paths()));
	}

	@Bean("io.github.ratelimit.servletRequests")
	ServletRequests rateLimitServletRequests(RateLimitProperties properties,
			ObjectProvider<ServletCallerSource> callers) {
		return new ServletRequests(properties.http().headers(), callers.getIfAvailable(ServletCallerSource::new)::of);
	}

	@Bean("io.github.ratelimit.exceptionResolver")
	RateLimitExceptionResolver rateLimitExceptionResolver(ObjectProvider<ServletRequestLimiter> limiter,
			@Qualifier(EXCEPTIONS) ObjectProvider<HandlerExceptionResolver> exceptions) {
		return new RateLimitExceptionResolver(SingletonSupplier.of(limiter::getObject), exceptions::getObject);
	}

	@Bean("io.github.ratelimit.firstAdvice")
	static FirstAdvice rateLimitFirstAdvice() {
		return new FirstAdvice();
	}

	@Bean("io.github.ratelimit.exceptionHandler")
	@ConditionalOnMissingBean(RateLimitExceptionHandler.class)
	ServletExceptionHandler rateLimitExceptionHandler(RateLimitProperties properties,
			ObjectProvider<RateLimitResponseCustomizer> customizer, ListableBeanFactory beans) {
		return ExceptionHandlers.create(properties.http(), customizer, beans, ServletExceptionHandler::new);
	}

	@Bean("io.github.ratelimit.ruleChecks")
	StartCheck rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			WebApplicationContext application) {
		String prefix = EndpointPaths.path("spring.mvc.servlet.path", application.getEnvironment());
		ServletEndpoints endpoints = new ServletEndpoints(application, prefix);
		return StartCheck.all(new RuleChecks(policies, rules, methods, endpoints, EndpointPaths.isSecured()),
				EndpointPaths.swallowedDenials(application, methods, endpoints));
	}

	static RateLimitFilter beforeSecurity(int security, ObjectProvider<ServletRequestLimiter> limiter) {
		return new RateLimitFilter(Phase.BEFORE_SECURITY, security - 2, SingletonSupplier.of(limiter::getObject));
	}

	static RateLimitFilter afterSecurity(int security, ObjectProvider<ServletRequestLimiter> limiter) {
		return new RateLimitFilter(Phase.AFTER_SECURITY, security + 10, SingletonSupplier.of(limiter::getObject));
	}

}
