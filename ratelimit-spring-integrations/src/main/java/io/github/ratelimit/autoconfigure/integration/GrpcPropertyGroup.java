package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for gRPC.
 */
final class GrpcPropertyGroup implements PropertyGroup {

	@Override
	public String name() {
		return "grpc";
	}

	@Override
	public Class<?> type() {
		return GrpcProperties.class;
	}

}
