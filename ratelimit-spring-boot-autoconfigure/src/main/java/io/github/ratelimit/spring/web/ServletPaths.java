package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.UriUtils;

/**
 * The paths of a servlet request, from the context's on: as the container read it to
 * choose the servlet, and the readings of what was sent, by which Spring MVC chooses the
 * handler.
 */
final class ServletPaths {

	private ServletPaths() {
	}

	static List<PathContainer> of(HttpServletRequest request) {
		String info = request.getPathInfo();
		String chosen = (info != null) ? request.getServletPath() + info : request.getServletPath();
		String sent = request.getRequestURI();
		String context = request.getContextPath();
		if (PathReadings.isPlain(sent) && sent.length() == context.length() + chosen.length()
				&& sent.endsWith(chosen)) {
			return List.of(PathContainer.parsePath(chosen));
		}
		PathContainer read = PathContainer.parsePath(UriUtils.encodePath(chosen, StandardCharsets.UTF_8));
		return Stream.concat(Stream.of(read), readings(sent, context).stream()).distinct().toList();
	}

	/** Where Spring MVC refuses the path, the container's reading is all there is. */
	private static List<PathContainer> readings(String sent, String context) {
		try {
			return PathReadings.of(RequestPath.parse(sent, context).pathWithinApplication());
		}
		catch (IllegalArgumentException ex) {
			return List.of();
		}
	}

}
