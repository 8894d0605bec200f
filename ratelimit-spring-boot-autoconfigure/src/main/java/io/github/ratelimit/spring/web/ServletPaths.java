package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.UriUtils;

/**
 * The paths of a servlet request, from the context's on: as the container read it to
 * choose the servlet, and as it was sent, by which Spring MVC chooses the method. Whoever
 * spells a path in a way that these read differently is found by either.
 */
final class ServletPaths {

	private ServletPaths() {
	}

	static List<PathContainer> of(HttpServletRequest request) {
		String info = request.getPathInfo();
		String chosen = request.getServletPath() + ((info != null) ? info : "");
		PathContainer read = PathContainer.parsePath(UriUtils.encodePath(chosen, StandardCharsets.UTF_8));
		try {
			PathContainer sent = RequestPath.parse(request.getRequestURI(), request.getContextPath())
				.pathWithinApplication();
			return sent.value().equals(read.value()) ? List.of(read) : List.of(read, sent);
		}
		catch (IllegalArgumentException ex) {
			return List.of(read);
		}
	}

}
