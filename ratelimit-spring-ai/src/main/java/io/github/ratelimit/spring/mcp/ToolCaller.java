package io.github.ratelimit.spring.mcp;

import java.security.Principal;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A caller of tools: the sender of the message that calls a tool, in a session of MCP.
 *
 * @param sender the sender of the message
 * @param session the session; {@code null} if the server is stateless
 */
record ToolCaller(Caller sender, @Nullable String session) implements Caller {

	@Override
	public @Nullable String remoteAddress() {
		return this.sender.remoteAddress();
	}

	@Override
	public @Nullable String principal() {
		return this.sender.principal();
	}

	@Override
	public @Nullable Principal user() {
		return this.sender.user();
	}

	@Override
	public boolean hasRole(String role) {
		return this.sender.hasRole(role);
	}

	@Override
	public Set<String> authorities() {
		return this.sender.authorities();
	}

	@Override
	public @Nullable Object claim(String name) {
		return this.sender.claim(name);
	}

	@Override
	public @Nullable CallRequest request() {
		return this.sender.request();
	}

	@Override
	public @Nullable String header(String name) {
		return this.sender.header(name);
	}

	@Override
	public List<String> headers(String name) {
		return this.sender.headers(name);
	}

}
