package io.github.ratelimit.spring.web;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A response as the client sees it.
 *
 * @param status the status code
 * @param body the body
 * @param headers the headers
 */
public record Response(int status, String body, HttpHeaders headers) {

	@Nullable String header(String name) {
		return this.headers.getFirst(name);
	}

}
