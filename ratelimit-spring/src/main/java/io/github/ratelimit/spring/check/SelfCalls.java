package io.github.ratelimit.spring.check;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
 * them: directly, by a method reference, by {@code super}, in an inner class or a static
 * method, as the template of a superclass or an interface, or as a fallback. It skips
 * classes that may have a reference to their own proxy, and callers that are limited
 * themselves.
 *
 * @param methods the limited methods
 */
record SelfCalls(RateLimitedMethods methods) {

	/** The types that look beans up, among them the proxy of a class. */
	private static final List<Class<?>> LOOKUPS = List.of(ObjectFactory.class, BeanFactory.class);

	Stream<Finding> findings() {
		return Stream.concat(this.methods.byClass()
			.entrySet()
			.stream()
			.flatMap((each) -> findings(each.getKey(), each.getValue()))
			.distinct(), fallbacks());
	}

	private Stream<Finding> findings(Class<?> type, List<RateLimitedMethod> limited) {
		if (type.isInterface() || Proxy.isProxyClass(type) || hasProxyOf(type)) {
			return Stream.empty();
		}
		OwnCalls calls = OwnCalls.of(type);
		Set<String> names = limited.stream().map((method) -> method.method().getName()).collect(Collectors.toSet());
		return limited.stream().flatMap((method) -> {
			Caller caller = calls.callerOf(method.method());
			return (caller != null && !names.contains(caller.method()) && !calls.useProxy())
					? Stream.of(finding(method, caller)) : Stream.empty();
		});
	}

	private static Finding finding(RateLimitedMethod method, Caller caller) {
		return new Finding(Kind.SELF_CALL, method.name(), "The method " + caller.method() + "() of "
				+ place(caller, method.method().getDeclaringClass()) + " calls " + method.name()
				+ ", which is not limited then, as the call does not pass the proxy. Move one of them to another "
				+ "bean.");
	}

	private static String place(Caller caller, Class<?> declaring) {
		Class<?> owner = caller.owner();
		if (caller.isInner()) {
			return "an inner class";
		}
		if (owner == declaring) {
			return "the same class";
		}
		String kind = owner.isAssignableFrom(declaring) ? "superclass " : "class ";
		return "the " + (owner.isInterface() ? "interface " : kind) + owner.getSimpleName();
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
		for (Class<?> owner : OwnCalls.superclasses(type)) {
			for (Field field : owner.getDeclaredFields()) {
				if (mayHave(field.getType(), type)) {
					return true;
				}
			}
		}
		return false;
	}

	/** Returns whether a field may have the proxy of a class, or a way to look it up. */
	private static boolean mayHave(Class<?> field, Class<?> type) {
		return field != Object.class && (field.isAssignableFrom(type)
				|| LOOKUPS.stream().anyMatch((lookup) -> lookup.isAssignableFrom(field)));
	}

}
