package io.github.ratelimit.key;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A request with the variables of the pattern that matched its path.
 *
 * @param request the request
 * @param pathVariables the values, decoded, by name
 */
public record RoutedRequest(CallRequest request, Map<String, String> pathVariables) implements CallRequest {

	@Override
	public String method() {
		return this.request.method();
	}

	@Override
	public String path() {
		return this.request.path();
	}

	@Override
	public @Nullable String host() {
		return this.request.host();
	}

	@Override
	public List<String> headers(String name) {
		return this.request.headers(name);
	}

	@Override
	public @Nullable String cookie(String name) {
		return this.request.cookie(name);
	}

	@Override
	public @Nullable String query(String name) {
		return this.request.query(name);
	}

	@Override
	public @Nullable String form(String name) {
		return this.request.form(name);
	}

	@Override
	public @Nullable String pattern() {
		return this.request.pattern();
	}

	@Override
	public long size() {
		return this.request.size();
	}

}
