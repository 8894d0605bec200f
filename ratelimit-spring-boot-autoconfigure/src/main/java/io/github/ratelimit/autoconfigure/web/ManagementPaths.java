package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The paths of exposed management endpoints and of their base path, on the server that
 * serves them. A pattern names endpoints if it is below the base path or one of their
 * paths.
 */
final class ManagementPaths implements ReservedPathsSource {

	private final Supplier<PathMappedEndpoints> endpoints;

	private final boolean isServedByApplication;

	private final String servletPath;

	ManagementPaths(Supplier<PathMappedEndpoints> endpoints, Environment environment) {
		this.endpoints = endpoints;
		this.isServedByApplication = ManagementPortType.get(environment) == ManagementPortType.SAME;
		this.servletPath = withoutLastSlash(environment.getProperty("spring.mvc.servlet.path", ""));
	}

	@Override
	public Function<@Nullable ApplicationContext, ReservedPaths> parsedBy(PathPatternParser parser) {
		Map<WebServerNamespace, ReservedPaths> known = new ConcurrentHashMap<>();
		return (server) -> known.computeIfAbsent(namespace(server),
				(namespace) -> namespace.equals(WebServerNamespace.MANAGEMENT) ? ofManagement(parser)
						: ofApplication(parser));
	}

	private WebServerNamespace namespace(@Nullable ApplicationContext server) {
		return this.isServedByApplication ? WebServerNamespace.SERVER : WebServerNamespace.from(server);
	}

	private ReservedPaths ofApplication(PathPatternParser parser) {
		Stream<String> additional = additional(WebServerNamespace.SERVER);
		return this.isServedByApplication
				? reserved(Stream.concat(endpoints(), additional), basePath(), this.servletPath, parser)
				: reserved(additional, "", this.servletPath, parser);
	}

	private ReservedPaths ofManagement(PathPatternParser parser) {
		return reserved(Stream.concat(endpoints(), additional(WebServerNamespace.MANAGEMENT)), basePath(), "", parser);
	}

	private Stream<String> endpoints() {
		return this.endpoints.get().getAllPaths().stream();
	}

	private Stream<String> additional(WebServerNamespace server) {
		PathMappedEndpoints all = this.endpoints.get();
		return all.stream().flatMap((endpoint) -> endpoint.getAdditionalPaths(server).stream());
	}

	private String basePath() {
		return withoutLastSlash(this.endpoints.get().getBasePath());
	}

	/** Returns the reserved paths, without the root, which would reserve all paths. */
	private static ReservedPaths reserved(Stream<String> endpoints, String basePath, String prefix,
			PathPatternParser parser) {
		List<PathPattern> below = endpoints.map(ManagementPaths::withoutLastSlash)
			.filter((path) -> !path.isEmpty())
			.map((path) -> parser.parse(prefix + withFirstSlash(path) + "/**"))
			.toList();
		return basePath.isEmpty() ? new ReservedPaths(below, below) : new ReservedPaths(
				with(below, parser.parse(prefix + basePath)), with(below, parser.parse(prefix + basePath + "/**")));
	}

	private static List<PathPattern> with(List<PathPattern> patterns, PathPattern another) {
		return Stream.concat(patterns.stream(), Stream.of(another)).toList();
	}

	private static String withFirstSlash(String path) {
		return path.startsWith("/") ? path : "/" + path;
	}

	private static String withoutLastSlash(String path) {
		return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
	}

}
