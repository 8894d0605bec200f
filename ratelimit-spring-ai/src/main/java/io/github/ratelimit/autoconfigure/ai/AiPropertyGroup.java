package io.github.ratelimit.autoconfigure.ai;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for calls of language models.
 */
final class AiPropertyGroup implements PropertyGroup {

	static final String NAME = "ai";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Class<?> type() {
		return AiProperties.class;
	}

}
