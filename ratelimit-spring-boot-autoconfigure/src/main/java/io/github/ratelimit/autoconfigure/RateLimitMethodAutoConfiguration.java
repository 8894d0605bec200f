package io.github.ratelimit.autoconfigure;

import java.util.function.Function;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.RateLimits;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.RequestSource;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.MessageCallerSource;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.method.ChargeFactory;
import io.github.ratelimit.spring.method.RateLimitAdvisor;
import io.github.ratelimit.spring.method.RateLimitInterceptor;
import io.github.ratelimit.spring.method.RateLimitOrderPostProcessor;
import io.github.ratelimit.spring.method.RateLimitedBeanValidator;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.method.ReactiveCalls;
import io.github.ratelimit.spring.web.reactive.LastWebFilter;
import io.github.ratelimit.spring.web.reactive.ReactiveRequestLimiter;
import io.github.ratelimit.spring.web.reactive.ReactiveRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for {@code @RateLimited} methods.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitMethodAutoConfiguration {

	/**
	 * Creates the advisor. It has the infrastructure role, as others are ignored without
	 * AspectJ, and reads its order from the environment, as it precedes the properties.
	 */
	@Bean("io.github.ratelimit.advisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitAdvisor rateLimitAdvisor(ListableBeanFactory beans, Environment environment) {
		return new RateLimitAdvisor(() -> interceptor(beans),
				property(RateLimitProperties.PREFIX + ".annotation-order", RateLimitAdvisor.ORDER, environment),
				property("spring.aop.proxy-target-class", true, environment));
	}

	/** Returns the value of a property. Few are set, so that binding is rarely needed. */
	private static <T> T property(String name, T standard, Environment environment) {
		return environment.containsProperty(name)
				? Binder.get(environment).bind(name, Bindable.ofInstance(standard)).get() : standard;
	}

	@Bean("io.github.ratelimit.orderPostProcessor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitOrderPostProcessor rateLimitOrderPostProcessor() {
		return new RateLimitOrderPostProcessor();
	}

	@Bean("io.github.ratelimit.limitedMethods")
	RateLimitedMethods rateLimitedMethods(Policies policies, KeyResolvers keyResolvers, RateLimitProperties properties,
			ConfigurableListableBeanFactory beans) {
		return new RateLimitedMethods(new ChargeFactory(policies, PolicyReader.standard(properties), keyResolvers,
				beans::resolveEmbeddedValue), SecuredMethods.among(beans));
	}

	@Bean("io.github.ratelimit.limitedBeans")
	RateLimitedBeanValidator rateLimitedBeans(ConfigurableListableBeanFactory beans, RateLimitedMethods methods,
			RateLimitAdvisor advisor) {
		return new RateLimitedBeanValidator(beans, methods, advisor);
	}

	@Bean("io.github.ratelimit.limitsOfRequest")
	RateLimits rateLimitsOfRequest(ListableBeanFactory beans) {
		return new RateLimits(requests(beans));
	}

	private static RateLimitInterceptor interceptor(ListableBeanFactory beans) {
		return new RateLimitInterceptor(beans.getBean(RateLimitedMethods.class), beans.getBean(RateLimiter.class),
				CallerSource.firstOf(beans.getBeanProvider(CallerSource.class).orderedStream().toList()),
				requests(beans), beans.getBeanProvider(ReactiveCalls.class).getIfAvailable());
	}

	private static RequestSource requests(ListableBeanFactory beans) {
		return RequestSource.firstOf(beans.getBeanProvider(RequestSource.class).orderedStream().toList());
	}

	@Bean("io.github.ratelimit.callerSource")
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnMissingBean(value = CallerSource.class, ignored = MessageCallerSource.class)
	ServletCallerSource rateLimitCallerSource() {
		return new ServletCallerSource();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveCallers {

		@Bean("io.github.ratelimit.reactiveCallerSource")
		ReactiveCallerSource rateLimitReactiveCallerSource() {
			return new ReactiveCallerSource();
		}

		@Bean("io.github.ratelimit.lastFilter")
		LastWebFilter rateLimitLastFilter(ObjectProvider<ReactiveRequestLimiter> limiter) {
			return new LastWebFilter(SingletonSupplier.ofNullable(limiter::getIfAvailable));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Mono.class)
	static class ReactiveMethods {

		@Bean("io.github.ratelimit.reactiveCalls")
		ReactiveCalls rateLimitReactiveCalls(RateLimiter limiter, ObjectProvider<ReactiveCallerSource> callers,
				ObjectProvider<ReactiveRequests> requests) {
			return new ReactiveCalls(limiter, callers.getIfAvailable(), requestsOf(requests.getIfAvailable()));
		}

		private static Function<ContextView, RequestCharges> requestsOf(@Nullable ReactiveRequests requests) {
			return (requests != null) ? requests::of : (context) -> RequestCharges.NONE;
		}

	}

}
