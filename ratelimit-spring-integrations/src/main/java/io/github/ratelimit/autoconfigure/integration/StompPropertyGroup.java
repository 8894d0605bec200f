package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup;

/**
 * The group of the properties for STOMP.
 */
final class StompPropertyGroup implements PropertyGroup {

	static final String NAME = "stomp";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Class<?> type() {
		return StompProperties.class;
	}

	@Override
	public Library library() {
		return new Library("Spring WebSocket", "spring-boot-starter-websocket",
				List.of("org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer"));
	}

}
