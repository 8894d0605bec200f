package io.github.ratelimit.key;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The HTTP request that a call serves. Everything in it is chosen by the client, except
 * what the application's own routing and security decide. Valid while the request is
 * served.
 */
public interface CallRequest {

	/**
	 * Returns the method.
	 * @return a method such as {@code GET}
	 */
	String method();

	/**
	 * Returns the path as sent.
	 * @return the path, with the context path and without the query
	 */
	String path();

	/**
	 * Returns the host that the request is for, as its header {@code Host} or
	 * {@code :authority} or a forwarded header that the server trusts names it.
	 * @return the host in the spelling of {@link HostName}, without a port, or
	 * {@code null} if unknown
	 */
	@Nullable String host();

	/**
	 * Returns a header.
	 * @param name the header's name, in any case
	 * @return the values of all its lines as sent, in order; empty if it is absent
	 */
	List<String> headers(String name);

	/**
	 * Returns the value of a cookie.
	 * @param name the cookie's name
	 * @return its first value, or {@code null} if it is absent
	 */
	@Nullable String cookie(String name);

	/**
	 * Returns a parameter of the query.
	 * @param name the parameter's name
	 * @return its first value, decoded, or {@code null} if it is absent
	 */
	@Nullable String query(String name);

	/**
	 * Returns a field of the form that the client posts. Only requests that match a rule
	 * with a key of that kind have fields, and only forms of at most 8 KiB in UTF-8.
	 * @param name the field's name
	 * @return its value, decoded, or {@code null} if it is absent, has several values, or
	 * another part of the form or the query could be read in its place
	 */
	default @Nullable String form(String name) {
		return null;
	}

	/**
	 * Returns the variables of the path, as the pattern that matched it names them.
	 * @return the values, decoded, by name; empty before a pattern matched
	 */
	Map<String, String> pathVariables();

	/**
	 * Returns the pattern of the handler that matched the path.
	 * @return a pattern such as <code>/orders/{id}</code>, without the context path, or
	 * {@code null} before a pattern matched
	 */
	default @Nullable String pattern() {
		return null;
	}

	/**
	 * Returns the size of the body that the client announces.
	 * @return bytes, at least 0, or -1 if it announces none
	 */
	long size();

}
