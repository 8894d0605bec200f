package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.key.QueryString;
import io.github.ratelimit.spring.expression.StatedCaller;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A request as an operator states it, of whose user no more than the name is known.
 *
 * @param method the HTTP method
 * @param path the path without the context path and the query
 * @param parameters the query; {@code null} for none
 * @param user the user; {@code null} for none
 * @param remoteAddress the address of the socket's peer; {@code null} if unknown
 * @param fields the headers
 * @param pattern the pattern that matched the path; {@code null} before
 * @param pathVariables the variables of the path by name
 */
public record StatedRequest(String method, String path, @Nullable String parameters, @Nullable Principal user,
		@Nullable String remoteAddress, HttpHeaders fields, @Nullable String pattern,
		Map<String, String> pathVariables) implements SecuredCaller, StatedCaller, CallRequest {

	/**
	 * Returns this request before its user is known.
	 * @return the request without the user
	 */
	public StatedRequest beforeSecurity() {
		return new StatedRequest(this.method, this.path, this.parameters, null, this.remoteAddress, this.fields,
				this.pattern, this.pathVariables);
	}

	/**
	 * Returns this request after a pattern matched the path.
	 * @param matched the pattern
	 * @param variables the variables of the path by name
	 * @return the request with both
	 */
	public StatedRequest matchedBy(String matched, Map<String, String> variables) {
		return new StatedRequest(this.method, this.path, this.parameters, this.user, this.remoteAddress, this.fields,
				matched, variables);
	}

	@Override
	public CallRequest request() {
		return this;
	}

	@Override
	public List<String> headers(String name) {
		return this.fields.getOrEmpty(name);
	}

	@Override
	public @Nullable String host() {
		return HostName.of(this.fields.getFirst(HttpHeaders.HOST));
	}

	@Override
	public @Nullable String cookie(String name) {
		return headers(HttpHeaders.COOKIE).stream()
			.flatMap((line) -> Stream.of(line.split(";", -1)))
			.map(String::strip)
			.filter((cookie) -> cookie.startsWith(name + '='))
			.map((cookie) -> cookie.substring(name.length() + 1))
			.findFirst()
			.orElse(null);
	}

	@Override
	public @Nullable String query(String name) {
		return QueryString.first(this.parameters, name);
	}

	@Override
	public long size() {
		return this.fields.getContentLength();
	}

	/** Returns no value of the request, which may be secret. */
	@Override
	public String toString() {
		return "StatedRequest";
	}

}
