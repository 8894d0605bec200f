package io.github.ratelimit.spring.web.servlet;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.spring.web.PathReadings;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.UriUtils;

/**
 * The paths of a servlet request within its context. The container chooses the servlet by
 * one reading, and Spring MVC chooses the handler by the readings of the path as sent.
 */
final class ServletPaths {

	private ServletPaths() {
	}

	/** Returns the path of a request if it certainly has one reading, or else null. */
	static @Nullable String only(HttpServletRequest request) {
		String chosen = chosen(request);
		String sent = request.getRequestURI();
		return (sent.length() == request.getContextPath().length() + chosen.length() && sent.endsWith(chosen)
				&& PathReadings.isPlain(sent)) ? chosen : null;
	}

	private static String chosen(HttpServletRequest request) {
		String info = request.getPathInfo();
		return (info != null) ? request.getServletPath() + info : request.getServletPath();
	}

	/** Returns all readings of a request's path. */
	static List<PathContainer> of(HttpServletRequest request) {
		String chosen = chosen(request);
		String sent = request.getRequestURI();
		String context = request.getContextPath();
		PathContainer read = PathContainer.parsePath(UriUtils.encodePath(chosen, StandardCharsets.UTF_8));
		return Stream.concat(Stream.of(read), readings(sent, context).stream()).distinct().toList();
	}

	/** Returns the readings of Spring MVC, none if it rejects the path. */
	private static List<PathContainer> readings(String sent, String context) {
		try {
			return PathReadings.of(RequestPath.parse(sent, context).pathWithinApplication());
		}
		catch (IllegalArgumentException ex) {
			return List.of();
		}
	}

}
