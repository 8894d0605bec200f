package io.github.ratelimit.gateway.webmvc;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.aop.SpringProxy;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.cloud.gateway.server.mvc.config.RouterFunctionHolderFactory;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A post-processor of the gateway's routes in properties, each time the gateway reads
 * them. It checks their limits, and lets each route decide all of its limits at once.
 */
public final class PropertyRoutesPostProcessor implements BeanPostProcessor {

	private final Supplier<GatewayMvcProperties> properties;

	private final Supplier<RoutePolicies> policies;

	/**
	 * Creates a post-processor.
	 * @param properties binds the current properties of the gateway
	 * @param policies supplies the policies of routes
	 */
	public PropertyRoutesPostProcessor(Supplier<GatewayMvcProperties> properties, Supplier<RoutePolicies> policies) {
		this.properties = properties;
		this.policies = policies;
	}

	/**
	 * Checks the limits before the gateway creates its filters, which know no property.
	 */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof RouterFunctionHolderFactory && this.policies.get().areEnabled()) {
			limits();
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof RouterFunctionHolder holder) || bean instanceof SpringProxy) {
			return bean;
		}
		return this.policies.get().areEnabled() ? new RouterFunctionHolder(limited(holder.getRouterFunction())) : bean;
	}

	private RouterFunction<ServerResponse> limited(RouterFunction<ServerResponse> router) {
		Map<String, RouterFunction<ServerResponse>> byId = RoutesInProperties.of(router);
		return byId.isEmpty() ? router : new LimitedRouterFunction(router, byId, limits());
	}

	private Map<String, List<RouteLimit>> limits() {
		return new PropertyRouteLimits(this.policies.get()).read(this.properties.get());
	}

}
