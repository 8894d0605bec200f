package io.github.ratelimit.autoconfigure.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.Endpoints;
import io.github.ratelimit.spring.check.ServedPaths;

import org.springframework.context.ApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The endpoints of an application on WebFlux, and all paths that it serves.
 *
 * @param application the application
 */
record ReactiveEndpoints(ApplicationContext application) implements Endpoints {

	@Override
	public List<Endpoint> all() {
		return this.application.getBeanProvider(RequestMappingHandlerMapping.class)
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap(ReactiveEndpoints::endpoints)
			.toList();
	}

	private static Stream<Endpoint> endpoints(Map.Entry<RequestMappingInfo, HandlerMethod> handler) {
		RequestMappingInfo mapping = handler.getKey();
		return EndpointPaths.endpoints(
				mapping.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString).toList(),
				mapping.getMethodsCondition().getMethods(), handler.getValue());
	}

	/**
	 * Returns the paths that are served. They are not known if there are router functions
	 * or handler mappings of another kind, such as those of a gateway.
	 */
	@Override
	public Optional<ServedPaths> served() {
		List<String> patterns = new ArrayList<>();
		List<ResourceWebHandler> resources = new ArrayList<>();
		for (HandlerMapping mapping : HandlerBeans.inOrder(this.application, HandlerMapping.class)) {
			if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
				methods.getHandlerMethods()
					.keySet()
					.forEach((info) -> info.getPatternsCondition()
						.getPatterns()
						.forEach((pattern) -> patterns.add(pattern.getPatternString())));
			}
			else if (mapping instanceof AbstractUrlHandlerMapping urls) {
				urls.getHandlerMap().forEach((pattern, handler) -> add(pattern, handler, patterns, resources));
			}
			else if (!(mapping instanceof RouterFunctionMapping routes && routes.getRouterFunction() == null)) {
				return Optional.empty();
			}
		}
		return Optional.of(new ServedPaths(
				Stream.concat(patterns.stream(), EndpointPaths.otherPaths(this.application.getEnvironment())).toList(),
				(path) -> isThere(path, resources)));
	}

	@Override
	public String contextPath() {
		return EndpointPaths.path(contextPathProperty(), this.application.getEnvironment());
	}

	@Override
	public String contextPathProperty() {
		return "spring.webflux.base-path";
	}

	private static void add(PathPattern pattern, Object handler, List<String> patterns,
			List<ResourceWebHandler> resources) {
		if (pattern.getPatternString().equals("/**") && handler instanceof ResourceWebHandler files) {
			resources.add(files);
		}
		else {
			patterns.add(pattern.getPatternString());
		}
	}

	private static boolean isThere(String path, List<ResourceWebHandler> resources) {
		return resources.stream()
			.anyMatch((handler) -> handler.getResourceResolvers().size() > 1 || handler.getLocations()
				.stream()
				.anyMatch((location) -> EndpointPaths.isThere(location, path.substring(1))));
	}

}
