package io.github.ratelimit.spring.stomp;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.key.Route;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.handler.DestinationPatternsMessageCondition;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageMappingInfo;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.messaging.support.MessageBuilder;

/**
 * The routes of messages: the patterns of the methods that handle them. Messages to the
 * broker have none, as clients choose their destinations. Thread-safe.
 */
public final class StompRoutes {

	private final Supplier<Stream<SimpAnnotationMethodMessageHandler>> handlers;

	/**
	 * Creates the routes of an application.
	 * @param handlers supplies the handlers that call annotated methods
	 */
	public StompRoutes(Supplier<Stream<SimpAnnotationMethodMessageHandler>> handlers) {
		this.handlers = handlers;
	}

	/** Returns the route of a message, such as SEND /orders/{id}, or null for none. */
	@Nullable String of(Message<?> message) {
		String destination = SimpMessageHeaderAccessor.getDestination(message.getHeaders());
		return (destination == null) ? null
				: this.handlers.get()
					.flatMap((handler) -> patterns(handler, message, destination))
					.findFirst()
					.map((pattern) -> Route.named(List.of(command(message)), pattern))
					.orElse(null);
	}

	private static String command(Message<?> message) {
		return (SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) == SimpMessageType.SUBSCRIBE)
				? "SUBSCRIBE" : "SEND";
	}

	/** Returns the pattern of the method that the handler calls, or nothing. */
	private static Stream<String> patterns(SimpAnnotationMethodMessageHandler handler, Message<?> message,
			String destination) {
		return lookups(handler, destination)
			.map((lookup) -> MessageBuilder.fromMessage(message)
				.setHeader(DestinationPatternsMessageCondition.LOOKUP_DESTINATION_HEADER, lookup)
				.build())
			.flatMap((looked) -> handler.getHandlerMethods()
				.keySet()
				.stream()
				.map((mapping) -> mapping.getMatchingCondition(looked))
				.filter(Objects::nonNull)
				.min((one, other) -> one.compareTo(other, looked))
				.stream())
			.map(SimpMessageMappingInfo::getDestinationConditions)
			.flatMap((matching) -> matching.getPatterns().stream().limit(1));
	}

	/** Returns the destination without its prefix, as patterns match it, or nothing. */
	private static Stream<String> lookups(SimpAnnotationMethodMessageHandler handler, String destination) {
		Collection<String> prefixes = handler.getDestinationPrefixes();
		if (prefixes == null || prefixes.isEmpty()) {
			return Stream.of(destination);
		}
		boolean keepsSlash = handler.getPathMatcher().combine("a", "b").equals("a/b");
		return prefixes.stream()
			.filter(destination::startsWith)
			.limit(1)
			.map((prefix) -> destination.substring(prefix.length() - (keepsSlash ? 1 : 0)));
	}

}
