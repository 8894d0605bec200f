package io.github.ratelimit.spring.expression;

import java.util.List;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * The request that a call serves, as expressions read it.
 */
public final class RequestView {

	private final CallRequest request;

	private final CallContext call;

	private final KeyResolver addresses;

	RequestView(CallRequest request, CallContext call, KeyResolver addresses) {
		this.request = request;
		this.call = call;
		this.addresses = addresses;
	}

	/**
	 * Returns the method.
	 * @return a method such as {@code GET}
	 */
	public String getMethod() {
		return this.request.method();
	}

	/**
	 * Returns the path as sent.
	 * @return the path, with the context path and without the query
	 */
	public String getPath() {
		return this.request.path();
	}

	/**
	 * Returns the host that the request is for.
	 * @return the host as in the key {@code host}, or {@code null} if unknown
	 */
	public @Nullable String getHost() {
		return this.request.host();
	}

	/**
	 * Returns the address of the client, behind trusted proxies.
	 * @return the address as in the key {@code client-ip}, or {@code null} if unknown
	 */
	public @Nullable String getAddress() {
		return this.addresses.resolve(this.call);
	}

	/**
	 * Returns the size of the body that the client announces.
	 * @return bytes, or {@code null} if it announces none
	 */
	public @Nullable Long getSize() {
		long size = this.request.size();
		return (size >= 0) ? size : null;
	}

	/**
	 * Returns a header.
	 * @param name the header's name, in any case
	 * @return its first value, or {@code null} if it is absent
	 */
	public @Nullable String header(String name) {
		List<String> values = this.request.headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

	/**
	 * Returns a cookie.
	 * @param name the cookie's name
	 * @return its value, or {@code null} if it is absent
	 */
	public @Nullable String cookie(String name) {
		return this.request.cookie(name);
	}

	/**
	 * Returns a parameter of the query.
	 * @param name the parameter's name
	 * @return its first value, or {@code null} if it is absent
	 */
	public @Nullable String query(String name) {
		return this.request.query(name);
	}

	/**
	 * Returns a variable of the path.
	 * @param name the name in the pattern that matched
	 * @return its value, or {@code null} if there is none
	 */
	public @Nullable String pathVariable(String name) {
		return this.request.pathVariables().get(name);
	}

	/** Returns nothing, as a key that names no part of a request is missing. */
	@Override
	public String toString() {
		return "";
	}

}
