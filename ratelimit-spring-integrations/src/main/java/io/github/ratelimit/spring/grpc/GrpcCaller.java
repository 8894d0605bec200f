package io.github.ratelimit.spring.grpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.spring.key.SecuredCaller;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a gRPC call. Metadata are its headers, except binary ones, and the
 * request is the HTTP/2 request that carries the call.
 */
final class GrpcCaller implements SecuredCaller, CallRequest {

	private static final Pattern TEXT_NAME = Pattern.compile("[0-9A-Za-z_.-]+(?<!-[bB][iI][nN])");

	private final @Nullable SocketAddress peer;

	private final @Nullable Principal user;

	private final Metadata metadata;

	private final String method;

	private final @Nullable String authority;

	private GrpcCaller(ServerCall<?, ?> call, @Nullable Principal user, Metadata metadata) {
		this.peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
		this.user = user;
		this.metadata = metadata;
		this.method = call.getMethodDescriptor().getFullMethodName();
		this.authority = call.getAuthority();
	}

	/** Returns the caller of a call, with the user whom the current thread serves. */
	static GrpcCaller of(ServerCall<?, ?> call, Metadata metadata) {
		return new GrpcCaller(call, CurrentUser.get(), metadata);
	}

	@Override
	public @Nullable String remoteAddress() {
		InetAddress address = (this.peer instanceof InetSocketAddress socket) ? socket.getAddress() : null;
		return (address != null) ? address.getHostAddress() : null;
	}

	@Override
	public @Nullable Principal user() {
		return this.user;
	}

	@Override
	public CallRequest request() {
		return this;
	}

	@Override
	public List<String> headers(String name) {
		if (!TEXT_NAME.matcher(name).matches()) {
			return List.of();
		}
		Iterable<String> values = this.metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
		List<String> headers = new ArrayList<>();
		if (values != null) {
			values.forEach(headers::add);
		}
		return headers;
	}

	@Override
	public String method() {
		return "POST";
	}

	@Override
	public String path() {
		return "/" + this.method;
	}

	@Override
	public @Nullable String host() {
		return HostName.of(this.authority);
	}

	@Override
	public @Nullable String cookie(String name) {
		return null;
	}

	@Override
	public @Nullable String query(String name) {
		return null;
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
