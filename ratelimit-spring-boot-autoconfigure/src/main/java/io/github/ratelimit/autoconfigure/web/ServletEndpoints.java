package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.Endpoint;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The endpoints of an application on Spring MVC.
 *
 * @param mappings the mappings of requests to methods
 */
record ServletEndpoints(ObjectProvider<RequestMappingHandlerMapping> mappings) implements Supplier<List<Endpoint>> {

	@Override
	public List<Endpoint> get() {
		return this.mappings.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap(ServletEndpoints::endpoints)
			.toList();
	}

	private static Stream<Endpoint> endpoints(Map.Entry<RequestMappingInfo, HandlerMethod> handler) {
		RequestMappingInfo mapping = handler.getKey();
		return RuleChecks.endpoints(mapping.getPatternValues(), mapping.getMethodsCondition().getMethods(),
				handler.getValue());
	}

}
