package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.Endpoint;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The endpoints of an application on WebFlux.
 *
 * @param mappings the mappings of requests to methods
 */
record ReactiveEndpoints(ObjectProvider<RequestMappingHandlerMapping> mappings) implements Supplier<List<Endpoint>> {

	@Override
	public List<Endpoint> get() {
		return this.mappings.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap(ReactiveEndpoints::endpoints)
			.toList();
	}

	private static Stream<Endpoint> endpoints(Map.Entry<RequestMappingInfo, HandlerMethod> handler) {
		RequestMappingInfo mapping = handler.getKey();
		return RuleChecks.endpoints(
				mapping.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString).toList(),
				mapping.getMethodsCondition().getMethods(), handler.getValue());
	}

}
