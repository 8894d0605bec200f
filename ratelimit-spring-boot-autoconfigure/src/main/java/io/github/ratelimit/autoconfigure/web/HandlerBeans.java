package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The part that the wiring of Spring MVC and of WebFlux share.
 */
final class HandlerBeans {

	private HandlerBeans() {
	}

	/** Returns the reserved paths of a server, those of all sources. */
	static Function<@Nullable ApplicationContext, ReservedPaths> reserved(ObjectProvider<ReservedPathsSource> sources,
			PathPatternParser parser) {
		List<Function<@Nullable ApplicationContext, ReservedPaths>> parsed = sources.stream()
			.map((source) -> source.parsedBy(parser))
			.toList();
		return (parsed.size() == 1) ? parsed.get(0)
				: (server) -> parsed.stream()
					.map((source) -> source.apply(server))
					.reduce(ReservedPaths.NONE, ReservedPaths::and);
	}

	/** Returns all beans of a type in the order in which a dispatcher finds them. */
	static <T> List<T> inOrder(ListableBeanFactory beans, Class<T> type) {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
			.values()
			.stream()
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.toList();
	}

}
