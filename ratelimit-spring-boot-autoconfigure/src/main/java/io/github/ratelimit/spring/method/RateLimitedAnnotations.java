package io.github.ratelimit.spring.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/**
 * A finder of {@link RateLimited} on an element, or else on the nearest element that it
 * overrides, implements or extends. It finds repeated annotations and meta-annotations.
 */
final class RateLimitedAnnotations {

	private RateLimitedAnnotations() {
	}

	/** Returns the annotations of an element. */
	static List<RateLimitedAttributes> on(AnnotatedElement element, StringValueResolver placeholders) {
		List<MergedAnnotation<RateLimited>> all = all(element).stream(RateLimited.class).toList();
		int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
		List<RateLimitedAttributes> attributes = new ArrayList<>();
		for (MergedAnnotation<RateLimited> annotation : all) {
			if (annotation.getAggregateIndex() == nearest) {
				attributes.add(RateLimitedAttributes.of(annotation, attributes.size(), placeholders));
			}
		}
		return attributes;
	}

	/** Returns whether an element is annotated. */
	static boolean isOn(AnnotatedElement element) {
		return all(element).isPresent(RateLimited.class);
	}

	/**
	 * Returns the elements whose annotations limit a method on a class: the class, unless
	 * every object has the method or only Spring calls it, and the method itself.
	 */
	static Stream<AnnotatedElement> elements(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return (ReflectionUtils.isObjectMethod(method) || SpringCallbacks.isCallback(specific)) ? Stream.of(specific)
				: Stream.of(targetClass, specific);
	}

	private static MergedAnnotations all(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY,
				RepeatableContainers.explicitRepeatable(RateLimited.class, RateLimited.List.class));
	}

}
