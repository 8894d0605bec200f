package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for STOMP.
 */
final class StompPropertyGroup implements PropertyGroup {

	@Override
	public String name() {
		return "stomp";
	}

	@Override
	public Class<?> type() {
		return StompProperties.class;
	}

}
