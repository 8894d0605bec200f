package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.Nullable;

/** An exception like those of the libraries of OpenAI and Anthropic. */
@SuppressWarnings("checkstyle:MissingJavadocMethod") // named as there
public final class ProviderException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final transient @Nullable Object headers;

	ProviderException(int status, @Nullable Object headers) {
		this.status = status;
		this.headers = headers;
	}

	public int statusCode() {
		return this.status;
	}

	public @Nullable Object headers() {
		return this.headers;
	}

}
