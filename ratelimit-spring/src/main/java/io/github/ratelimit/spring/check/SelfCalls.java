package io.github.ratelimit.spring.check;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.OwnCalls.Caller;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectFactory;

/**
 * The check for limited methods that their own class calls, past the proxy that limits
 * them: directly, by a method reference, in an inner class, as the template of a
 * superclass, or as a fallback. It skips classes that may have a reference to their own
 * proxy, and callers that are limited themselves.
 *
 * @param methods the limited methods
 */
record SelfCalls(RateLimitedMethods methods) {

	/** The types that look beans up, among them the proxy of a class. */
	private static final List<Class<?>> LOOKUPS = List.of(ObjectFactory.class, BeanFactory.class);

	Stream<Finding> findings() {
		Map<Class<?>, List<RateLimitedMethod>> byClass = this.methods.all()
			.collect(Collectors.groupingBy((method) -> method.method().getDeclaringClass()));
		return Stream.concat(byClass.entrySet().stream().flatMap((each) -> findings(each.getKey(), each.getValue())),
				fallbacks());
	}

	private Stream<Finding> findings(Class<?> type, List<RateLimitedMethod> limited) {
		if (type.isInterface() || hasProxyOf(type)) {
			return Stream.empty();
		}
		OwnCalls calls = OwnCalls.of(type);
		Set<String> names = limitedNames(type);
		return limited.stream().flatMap((method) -> {
			Caller caller = calls.callerOf(method.method());
			return (caller != null && !names.contains(caller.method()) && !calls.useProxy())
					? Stream.of(finding(method, caller)) : Stream.empty();
		}).distinct();
	}

	private Set<String> limitedNames(Class<?> type) {
		return this.methods.all()
			.map(RateLimitedMethod::method)
			.filter((method) -> method.getDeclaringClass().isAssignableFrom(type))
			.map(Method::getName)
			.collect(Collectors.toSet());
	}

	private static Finding finding(RateLimitedMethod method, Caller caller) {
		return new Finding(Kind.SELF_CALL, method.name(), "The method " + caller.method() + "() of " + caller.place()
				+ " calls " + method.name()
				+ ", which is not limited then, as the call does not pass the proxy. Move one of them to another "
				+ "bean.");
	}

	private Stream<Finding> fallbacks() {
		Map<Method, RateLimitedMethod> limited = this.methods.all()
			.collect(Collectors.toMap(RateLimitedMethod::method, (method) -> method, (first, second) -> first));
		return limited.values().stream().flatMap((method) -> {
			Method target = method.fallbackMethod();
			RateLimitedMethod fallback = (target != null) ? limited.get(target) : null;
			return (fallback != null) ? Stream.of(fallback(method, fallback)) : Stream.empty();
		});
	}

	private static Finding fallback(RateLimitedMethod method, RateLimitedMethod fallback) {
		return new Finding(Kind.SELF_CALL, fallback.name(), "The fallback of " + method.name() + " is "
				+ fallback.name()
				+ ", which is not limited then, as the call does not pass the proxy. Remove its limit, or have it call "
				+ "a limited method of another bean.");
	}

	private static boolean hasProxyOf(Class<?> type) {
		return Arrays.stream(type.getDeclaredFields())
			.map(Field::getType)
			.anyMatch((field) -> field != Object.class && (field.isAssignableFrom(type)
					|| LOOKUPS.stream().anyMatch((lookup) -> lookup.isAssignableFrom(field))));
	}

}
