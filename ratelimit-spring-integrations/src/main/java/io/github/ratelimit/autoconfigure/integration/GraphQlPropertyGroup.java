package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for Spring GraphQL.
 */
final class GraphQlPropertyGroup implements PropertyGroup {

	static final String NAME = "graphql";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Class<?> type() {
		return GraphQlProperties.class;
	}

	@Override
	public Library library() {
		return new Library("Spring GraphQL", "spring-boot-starter-graphql",
				List.of("org.springframework.graphql.server.WebGraphQlInterceptor"));
	}

}
