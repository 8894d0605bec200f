package io.github.ratelimit.spring.web;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A response as the client sees it.
 *
 * @param status the status code
 * @param body the body
 * @param headers returns the first value of a header
 */
public record Response(int status, String body, Function<String, @Nullable String> headers) {

	@Nullable String header(String name) {
		return this.headers.apply(name);
	}

}
