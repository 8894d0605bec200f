package io.github.ratelimit.spring.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/**
 * A finder of {@link RateLimited} on an element, or else on the nearest element that it
 * overrides, implements or extends. It finds repeated annotations and meta-annotations.
 */
final class RateLimitedAnnotations {

	private static final String ENABLED = "enabled";

	/** The packages of most beans of an application, none of which are its own. */
	private static final List<String> OF_SPRING = List.of("org.springframework.boot.", "org.springframework.context.",
			"org.springframework.http.", "org.springframework.web.");

	private RateLimitedAnnotations() {
	}

	/** Returns whether a class itself or one of its own methods is annotated. */
	static boolean areDeclaredIn(Class<?> type) {
		for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
			if (MergedAnnotations.from(method).isPresent(RateLimited.class)) {
				return true;
			}
		}
		return MergedAnnotations.from(type).isPresent(RateLimited.class);
	}

	/**
	 * Returns whether a class may be annotated, as those of the JDK and Spring cannot.
	 */
	static boolean mayBeIn(Class<?> type) {
		for (String spring : OF_SPRING) {
			if (type.getName().startsWith(spring)) {
				return false;
			}
		}
		return AnnotationUtils.isCandidateClass(type, RateLimited.class);
	}

	/** Returns the annotations of an element that limit. */
	static List<RateLimitedAttributes> on(AnnotatedElement element, StringValueResolver placeholders) {
		List<RateLimitedAttributes> attributes = new ArrayList<>();
		List<MergedAnnotation<RateLimited>> all = nearest(element);
		for (MergedAnnotation<RateLimited> annotation : all) {
			if (annotation.getBoolean(ENABLED)) {
				attributes.add(RateLimitedAttributes.of(annotation, attributes.size(), placeholders));
			}
		}
		if (!attributes.isEmpty() && attributes.size() < all.size()) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited(enabled = false) on " + element + " contradicts another @RateLimited there",
					"Remove one of them.", null);
		}
		return attributes;
	}

	/** Returns whether an element is annotated, so that its calls are limited. */
	static boolean isOn(AnnotatedElement element) {
		return all(element).stream(RateLimited.class).anyMatch((annotation) -> annotation.getBoolean(ENABLED));
	}

	/** Returns the annotations that no nearer ones replace. */
	private static List<MergedAnnotation<RateLimited>> nearest(AnnotatedElement element) {
		List<MergedAnnotation<RateLimited>> all = all(element).stream(RateLimited.class).toList();
		int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
		return all.stream().filter((annotation) -> annotation.getAggregateIndex() == nearest).toList();
	}

	/**
	 * Returns the elements whose annotations limit a method on a class: the method, and
	 * the class unless
	 * <ul>
	 * <li>every object has the method,
	 * <li>only Spring calls it, or
	 * <li>it is left out.
	 * </ul>
	 */
	static Stream<AnnotatedElement> elements(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		boolean isOfClass = !ReflectionUtils.isObjectMethod(method) && !SpringCallbacks.isCallback(specific)
				&& !isLeftOut(specific);
		return isOfClass ? Stream.of(targetClass, specific) : Stream.of(specific);
	}

	/** Returns whether a method is left out of the limits of its class. */
	private static boolean isLeftOut(Method method) {
		return nearest(method).stream().anyMatch((annotation) -> !annotation.getBoolean(ENABLED));
	}

	private static MergedAnnotations all(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
	}

}
