package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for gRPC.
 */
final class GrpcPropertyGroup implements PropertyGroup {

	static final String NAME = "grpc";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Class<?> type() {
		return GrpcProperties.class;
	}

	@Override
	public Library library() {
		return new Library("Spring gRPC", "spring-boot-starter-grpc-server",
				List.of("org.springframework.grpc.server.GlobalServerInterceptor", "io.grpc.ServerInterceptor",
						"io.grpc.protobuf.StatusProto"));
	}

}
