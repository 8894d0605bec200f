package io.github.ratelimit.spring.stomp;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;

/**
 * A handler of WebSockets that records in each session who has opened it.
 */
final class CallerRecorder extends WebSocketHandlerDecorator {

	CallerRecorder(WebSocketHandler delegate) {
		super(delegate);
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) throws Exception {
		session.getAttributes().put(StompCaller.ATTRIBUTE, StompCaller.of(session));
		super.afterConnectionEstablished(session);
	}

}
