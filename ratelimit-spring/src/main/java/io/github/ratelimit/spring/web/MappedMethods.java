package io.github.ratelimit.spring.web;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.spring.method.RateLimitedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The methods of an application's controllers.
 */
@FunctionalInterface
public interface MappedMethods {

	/**
	 * Returns the methods.
	 * @return the methods, with or without limits
	 */
	List<Mapped> mapped();

	/**
	 * Returns the methods that may serve a request, by the most specific pattern. There
	 * are several if they differ in headers, parameters or content types. Calls no bean.
	 * @param method the method of the request
	 * @param path the path of the request
	 * @return the methods and their patterns
	 */
	default List<Match> matching(HttpMethod method, PathContainer path) {
		List<Match> matches = mapped().stream()
			.filter((mapped) -> mapped.has(method))
			.flatMap((mapped) -> mapped.match(path))
			.sorted(Comparator.comparing(Match::pattern))
			.toList();
		return matches.stream().filter((match) -> match.pattern().compareTo(matches.get(0).pattern()) == 0).toList();
	}

	/**
	 * A handler method and the requests that are mapped to it.
	 *
	 * @param name the name of the method for messages
	 * @param patterns the patterns of paths; {@code null} if it is mapped by other means
	 * @param methods the HTTP methods; empty for any
	 * @param limited the limits of the method; {@code null} if it has none
	 */
	record Mapped(String name, @Nullable Collection<PathPattern> patterns, Set<RequestMethod> methods,
			@Nullable RateLimitedMethod limited) {

		/**
		 * Returns a mapped method, named by the class of its bean.
		 * @param handler the method
		 * @param patterns the patterns of paths; {@code null} if it is mapped by other
		 * means
		 * @param methods the HTTP methods; empty for any
		 * @param limited the limits of the method; {@code null} if it has none
		 * @return the method
		 */
		public static Mapped of(HandlerMethod handler, @Nullable Collection<PathPattern> patterns,
				Set<RequestMethod> methods, @Nullable RateLimitedMethod limited) {
			return new Mapped(handler.getBeanType().getSimpleName() + '.' + handler.getMethod().getName() + "()",
					patterns, methods, limited);
		}

		private boolean has(HttpMethod method) {
			RequestMethod same = RequestMethod.resolve(method);
			return this.methods.isEmpty() || this.methods.contains(same)
					|| (same == RequestMethod.HEAD && this.methods.contains(RequestMethod.GET));
		}

		private Stream<Match> match(PathContainer path) {
			if (this.patterns == null) {
				return Stream.empty();
			}
			return this.patterns.stream().sorted().flatMap((pattern) -> {
				PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
				return (match != null) ? Stream.of(new Match(this, pattern, match.getUriVariables())) : Stream.empty();
			}).limit(1);
		}

	}

	/**
	 * A method that may serve a request.
	 *
	 * @param method the method
	 * @param pattern the pattern that matches the path
	 * @param variables the variables of the path by name
	 */
	record Match(Mapped method, PathPattern pattern, Map<String, String> variables) {

	}

}
