package io.github.ratelimit.autoconfigure.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.Endpoints;
import io.github.ratelimit.spring.check.ServedPaths;

import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * The endpoints of an application on Spring MVC, and all paths that it serves.
 *
 * @param application the application
 * @param prefix the path of the dispatcher servlet, empty for none
 */
record ServletEndpoints(WebApplicationContext application, String prefix) implements Endpoints {

	@Override
	public List<Endpoint> all() {
		return this.application.getBeanProvider(RequestMappingHandlerMapping.class)
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap(this::endpoints)
			.toList();
	}

	private Stream<Endpoint> endpoints(Map.Entry<RequestMappingInfo, HandlerMethod> handler) {
		RequestMappingInfo mapping = handler.getKey();
		return EndpointPaths.endpoints(mapping.getPatternValues().stream().map(this.prefix::concat).toList(),
				mapping.getMethodsCondition().getMethods(), handler.getValue());
	}

	/**
	 * Returns the paths that are served. They are not known if there are router functions
	 * or handler mappings of another kind.
	 */
	@Override
	public Optional<ServedPaths> served() {
		List<String> patterns = new ArrayList<>(servlets());
		List<ResourceHttpRequestHandler> resources = new ArrayList<>();
		for (HandlerMapping mapping : HandlerBeans.inOrder(this.application, HandlerMapping.class)) {
			if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
				methods.getHandlerMethods().keySet().forEach((info) -> patterns.addAll(info.getPatternValues()));
			}
			else if (mapping instanceof AbstractUrlHandlerMapping urls) {
				add(urls.getHandlerMap(), patterns, resources);
			}
			else if (!(mapping instanceof RouterFunctionMapping routes && routes.getRouterFunction() == null)) {
				return Optional.empty();
			}
		}
		return Optional.of(new ServedPaths(Stream
			.concat(patterns.stream().map(this.prefix::concat),
					EndpointPaths.otherPaths(this.application.getEnvironment()))
			.toList(), (path) -> isThere(path, resources)));
	}

	@Override
	public String contextPath() {
		return EndpointPaths.path(contextPathProperty(), this.application.getEnvironment());
	}

	@Override
	public String contextPathProperty() {
		return "server.servlet.context-path";
	}

	private static void add(Map<String, Object> handlers, List<String> patterns,
			List<ResourceHttpRequestHandler> resources) {
		handlers.forEach((pattern, handler) -> {
			if (pattern.equals("/**") && handler instanceof ResourceHttpRequestHandler files) {
				resources.add(files);
			}
			else {
				patterns.add(pattern);
			}
		});
	}

	/** Returns the patterns of other servlets. */
	private List<String> servlets() {
		return (this.application.getServletContext() == null) ? List.of() : this.application.getServletContext()
			.getServletRegistrations()
			.values()
			.stream()
			.flatMap((servlet) -> servlet.getMappings().stream())
			.filter((mapping) -> mapping.startsWith("/") && mapping.length() > 2 && !mapping.equals(this.prefix + "/*"))
			.map((mapping) -> mapping.endsWith("/*") ? mapping + "*" : mapping)
			.toList();
	}

	private boolean isThere(String path, List<ResourceHttpRequestHandler> resources) {
		return path.startsWith(this.prefix + "/") && resources.stream()
			.anyMatch((handler) -> handler.getResourceResolvers().size() > 1 || handler.getLocations()
				.stream()
				.anyMatch((location) -> EndpointPaths.isThere(location, path.substring(this.prefix.length() + 1))));
	}

}
