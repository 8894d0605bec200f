package io.github.ratelimit.spring.method;

import org.jspecify.annotations.Nullable;

/** A call of a method or of its fallback. */
@FunctionalInterface
interface Call {

	@Nullable Object proceed() throws Throwable;

}
