package io.github.ratelimit.spring.graphql;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.spring.key.SecuredCaller;
import org.jspecify.annotations.Nullable;

import org.springframework.graphql.server.WebSocketGraphQlRequest;
import org.springframework.http.HttpCookie;

/**
 * A caller of operations over a WebSocket, with the request that opened it.
 *
 * @param handshake the request
 * @param user the authenticated user; {@code null} for none
 */
record GraphQlCaller(WebSocketGraphQlRequest handshake,
		@Nullable Principal user) implements SecuredCaller, CallRequest {

	@Override
	public @Nullable String remoteAddress() {
		InetSocketAddress peer = this.handshake.getRemoteAddress();
		InetAddress address = (peer != null) ? peer.getAddress() : null;
		return (address != null) ? address.getHostAddress() : null;
	}

	@Override
	public String session() {
		return this.handshake.getSessionInfo().getId();
	}

	@Override
	public CallRequest request() {
		return this;
	}

	@Override
	public List<String> headers(String name) {
		return this.handshake.getHeaders().getOrEmpty(name);
	}

	@Override
	public String method() {
		return "GET";
	}

	@Override
	public String path() {
		String path = this.handshake.getUri().getPath();
		return (path != null) ? path : "";
	}

	@Override
	public @Nullable String host() {
		return HostName.of(this.handshake.getUri().getHost());
	}

	@Override
	public @Nullable String cookie(String name) {
		HttpCookie cookie = this.handshake.getCookies().getFirst(name);
		return (cookie != null) ? cookie.getValue() : null;
	}

	@Override
	public @Nullable String query(String name) {
		return this.handshake.getUri().getQueryParams().getFirst(name);
	}

	@Override
	public Map<String, String> pathVariables() {
		return Map.of();
	}

	@Override
	public long size() {
		return -1;
	}

}
