package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Route;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.function.SingletonSupplier;

/**
 * The route of the requests that a method handles: the HTTP methods of its mapping and
 * the pattern that matched, or the name of the method if there is no pattern. It has no
 * HTTP method of the request, as clients could choose among several counts. Thread-safe.
 */
final class MethodRoute implements Route {

	/** The annotations of mappings, by name as Spring Web may be absent. */
	private static final String[] MAPPINGS = { "org.springframework.web.bind.annotation.RequestMapping",
			"org.springframework.web.service.annotation.HttpExchange" };

	private final String name;

	private final Supplier<Collection<String>> httpMethods;

	/**
	 * Creates the route of a method.
	 * @param method the method
	 * @param name the name of the method
	 */
	MethodRoute(Method method, String name) {
		this.name = name;
		this.httpMethods = SingletonSupplier.of(() -> httpMethods(method));
	}

	@Override
	public String of(@Nullable CallRequest request) {
		String pattern = (request != null) ? request.pattern() : null;
		return (pattern != null) ? Route.named(this.httpMethods.get(), pattern) : this.name;
	}

	/** Returns the HTTP methods of the mappings of a method and of its class. */
	private static Collection<String> httpMethods(Method method) {
		Collection<String> methods = new TreeSet<>();
		Stream.of(method.getDeclaringClass(), method)
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
			.forEach((annotations) -> Stream.of(MAPPINGS)
				.map(annotations::get)
				.filter(MergedAnnotation::isPresent)
				.flatMap((mapping) -> httpMethods(mapping.getValue("method").orElse("")))
				.forEach(methods::add));
		return methods;
	}

	private static Stream<String> httpMethods(Object attribute) {
		return ((attribute instanceof Object[] several) ? Arrays.stream(several) : Stream.of(attribute))
			.map(Object::toString)
			.filter((name) -> !name.isEmpty());
	}

}
