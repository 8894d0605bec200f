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
 * Finds {@link RateLimited} on an element, or else on the nearest that it overrides,
 * implements or extends; repeated or as a meta-annotation alike.
 */
final class RateLimitedAnnotations {

	private RateLimitedAnnotations() {
	}

	static List<RateLimitedText> on(AnnotatedElement element, StringValueResolver placeholders) {
		List<MergedAnnotation<RateLimited>> all = all(element).stream(RateLimited.class).toList();
		int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
		List<RateLimitedText> texts = new ArrayList<>();
		for (MergedAnnotation<RateLimited> annotation : all) {
			if (annotation.getAggregateIndex() == nearest) {
				texts.add(RateLimitedText.of(annotation, texts.size(), placeholders));
			}
		}
		return texts;
	}

	static boolean isOn(AnnotatedElement element) {
		return all(element).isPresent(RateLimited.class);
	}

	/**
	 * Whose annotations limit calls of a method on a class: the class's, unless the
	 * method is one of those that every object has, and the method's own.
	 */
	static Stream<AnnotatedElement> elements(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return ReflectionUtils.isObjectMethod(method) ? Stream.of(specific) : Stream.of(targetClass, specific);
	}

	private static MergedAnnotations all(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY,
				RepeatableContainers.explicitRepeatable(RateLimited.class, RateLimited.List.class));
	}

}
