package io.github.ratelimit.autoconfigure.web;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.Endpoints;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.check.SwallowedDenials;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;

/**
 * The paths of endpoints, as the checks of rules know them.
 */
final class EndpointPaths {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	/** The first segments of paths that filters of Spring Security serve. */
	private static final List<String> OF_SECURITY = List.of("login", "logout", "oauth2", "saml2", "webauthn", "ott",
			"connect", "userinfo", ".well-known");

	private EndpointPaths() {
	}

	/**
	 * Returns the paths that neither mappings nor servlets of the application show, if it
	 * serves them: those of Spring Security and of a management server.
	 */
	static Stream<String> otherPaths(Environment environment) {
		Stream<String> security = isSecured() ? OF_SECURITY.stream() : Stream.empty();
		return Stream.concat(security.map((segment) -> '/' + segment + "/**"),
				Stream.of(environment.getProperty("management.endpoints.web.base-path", "/actuator") + "/**"));
	}

	/** Returns a path of configuration without a slash at its end. */
	static String path(String property, Environment environment) {
		String path = environment.getProperty(property, "").strip();
		return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
	}

	/** Returns whether a location has a static resource. */
	static boolean isThere(Resource location, String path) {
		try {
			return path.isEmpty() || location.createRelative(path).exists();
		}
		catch (IOException ex) {
			return true; // not known
		}
	}

	/** Returns whether the application has Spring Security. */
	static boolean isSecured() {
		return ClassUtils.isPresent(AUTHENTICATION, ClassUtils.getDefaultClassLoader());
	}

	static StartCheck swallowedDenials(ApplicationContext application, RateLimitedMethods methods,
			Endpoints endpoints) {
		return new SwallowedDenials(() -> ControllerAdviceBean.findAnnotatedBeans(application),
				() -> endpoints.all()
					.stream()
					.filter((endpoint) -> methods.find(endpoint.method(), endpoint.type()) != null)
					.map(Endpoint::type)
					.distinct());
	}

	static Stream<Endpoint> endpoints(Collection<String> paths, Set<RequestMethod> methods, HandlerMethod handler) {
		Class<?> type = ClassUtils.getUserClass(handler.getBeanType());
		return paths.stream()
			.map((path) -> new Endpoint(path,
					methods.stream().map(RequestMethod::asHttpMethod).collect(Collectors.toSet()), handler.getMethod(),
					type));
	}

}
