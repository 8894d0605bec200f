package io.github.ratelimit.spring.web;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What a client got.
 *
 * @param status of the response
 * @param body of the response
 * @param headers the first value of a header by its name
 */
record Answer(int status, String body, Function<String, @Nullable String> headers) {

	@Nullable String header(String name) {
		return this.headers.apply(name);
	}

}
