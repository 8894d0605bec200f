package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.web.PreparedDenials;
import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.UrlPathHelper;

/**
 * The denials that are answered without Spring's exception handling, as the application
 * leaves their response as it is. Thread-safe.
 */
final class DirectDenials {

	private final Supplier<Optional<PreparedDenials>> prepared;

	/** Whether a controller handles denials itself. */
	private final Map<Class<?>, Boolean> handling = new ConcurrentHashMap<>();

	/**
	 * Creates denials.
	 * @param prepared supplies the responses; empty if the application changes them
	 */
	DirectDenials(Supplier<Optional<PreparedDenials>> prepared) {
		this.prepared = prepared;
	}

	/**
	 * Sends the response to a denial, unless the application or the handler has its own.
	 * @param handler the handler of the request, if it has been found
	 */
	boolean trySend(HttpServletRequest request, HttpServletResponse response, @Nullable Object handler,
			RuntimeException rejection) {
		return rejection instanceof RateLimitExceededException denial && !response.isCommitted()
				&& !handlesDenials(handler)
				&& this.prepared.get().map((standard) -> trySend(request, response, standard, denial)).orElse(false);
	}

	private static boolean trySend(HttpServletRequest request, HttpServletResponse response, PreparedDenials standard,
			RateLimitExceededException denial) {
		byte[] body = mayNameFile(UrlPathHelper.rawPathInstance.getOriginatingRequestUri(request)) ? null
				: standard.body(request.getRequestURI(), denial, () -> RequestContextUtils.getLocale(request));
		if (body == null) {
			return false;
		}
		response.resetBuffer();
		response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
		standard.writeHeaders(denial.getDecision(), response::setHeader);
		standard.writeReport(denial.getDecision(), response::setHeader);
		response.setContentLength(body.length);
		try {
			response.getOutputStream().write(body);
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns whether a browser may take the response for a file, in which case Spring
	 * names it, so that nobody opens a path as a program (reflected file download).
	 */
	private static boolean mayNameFile(String path) {
		int last = path.lastIndexOf('/') + 1;
		return path.indexOf('.', last) >= 0 || path.indexOf('%', last) >= 0;
	}

	private boolean handlesDenials(@Nullable Object handler) {
		return handler instanceof HandlerMethod method
				&& this.handling.computeIfAbsent(method.getBeanType(), Rejections::areDenialsHandledBy);
	}

}
