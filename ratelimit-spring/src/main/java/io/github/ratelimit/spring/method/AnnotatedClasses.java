package io.github.ratelimit.spring.method;

import java.util.Map;

import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The classes that are annotated, that have an annotated method, or that override,
 * implement or extend what is annotated. For the others, which are most, this saves a
 * search of the hierarchy for each method. Each class is searched once. Thread-safe.
 */
final class AnnotatedClasses {

	private final Map<Class<?>, Boolean> known = new ConcurrentReferenceHashMap<>();

	boolean contain(Class<?> type) {
		Boolean known = this.known.get(type);
		if (known == null) {
			known = RateLimitedAnnotations.mayBeIn(type)
					&& (RateLimitedAnnotations.areDeclaredIn(type) || containParentOf(type));
			this.known.put(type, known);
		}
		return known;
	}

	private boolean containParentOf(Class<?> type) {
		if (type.getSuperclass() != null && contain(type.getSuperclass())) {
			return true;
		}
		for (Class<?> parent : type.getInterfaces()) {
			if (contain(parent)) {
				return true;
			}
		}
		return false;
	}

}
