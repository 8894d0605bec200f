package io.github.ratelimit.gateway.webmvc;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import org.jspecify.annotations.Nullable;

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

	private final Supplier<@Nullable RouteLimits> routes;

	/**
	 * Creates a post-processor.
	 * @param properties binds the current properties of the gateway
	 * @param routes supplies the policies of routes, or nothing if limits are disabled
	 */
	public PropertyRoutesPostProcessor(Supplier<GatewayMvcProperties> properties,
			Supplier<@Nullable RouteLimits> routes) {
		this.properties = properties;
		this.routes = routes;
	}

	/**
	 * Checks the limits before the gateway creates its filters, which know no property.
	 */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		RouteLimits routes = (bean instanceof RouterFunctionHolderFactory) ? this.routes.get() : null;
		if (routes != null) {
			limits(routes);
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof RouterFunctionHolder holder) || bean instanceof SpringProxy) {
			return bean;
		}
		RouteLimits routes = this.routes.get();
		return (routes != null) ? new RouterFunctionHolder(limited(holder.getRouterFunction(), routes)) : bean;
	}

	private RouterFunction<ServerResponse> limited(RouterFunction<ServerResponse> router, RouteLimits routes) {
		Map<String, RouterFunction<ServerResponse>> byId = RoutesInProperties.of(router);
		return byId.isEmpty() ? router : new LimitedRouterFunction(router, byId, limits(routes));
	}

	private Map<String, List<RouteLimit>> limits(RouteLimits routes) {
		return new PropertyRouteLimits(routes).read(this.properties.get());
	}

}
