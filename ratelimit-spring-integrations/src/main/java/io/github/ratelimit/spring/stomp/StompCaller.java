package io.github.ratelimit.spring.stomp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;

import io.github.ratelimit.spring.key.SecuredCaller;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.socket.WebSocketSession;

/**
 * A caller who sends messages over a WebSocket: the user, and the address and the headers
 * of the request that opened it.
 *
 * @param session the session of the WebSocket
 * @param remoteAddress the address of the socket's peer, or {@code null} if unknown
 * @param handshake the headers of the request
 * @param user the authenticated user, or {@code null} for none
 */
record StompCaller(String session, @Nullable String remoteAddress, HttpHeaders handshake,
		@Nullable Principal user) implements SecuredCaller {

	/** The name of the attribute of sessions that holds the caller. */
	static final String ATTRIBUTE = StompCaller.class.getName();

	/** Returns the caller who has opened a session. */
	static StompCaller of(WebSocketSession session) {
		InetSocketAddress peer = session.getRemoteAddress();
		InetAddress address = (peer != null) ? peer.getAddress() : null;
		return new StompCaller(session.getId(), (address != null) ? address.getHostAddress() : null,
				HttpHeaders.readOnlyHttpHeaders(session.getHandshakeHeaders()), session.getPrincipal());
	}

	/** Returns this caller as the user that a message is sent by. */
	StompCaller as(@Nullable Principal user) {
		return new StompCaller(this.session, this.remoteAddress, this.handshake, user);
	}

	@Override
	public List<String> headers(String name) {
		return this.handshake.getOrEmpty(name);
	}

}
