package io.github.ratelimit.test;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.KeyResolvers;

import org.springframework.beans.factory.BeanFactory;

/**
 * The resolver beans of a slice. A bean that the slice lacks fails the calls that need
 * it, not the start: configuration is that of the whole application.
 *
 * @param beans the beans of the slice
 * @param policies supplies the policies of the application
 */
record SliceBeans(BeanFactory beans, Supplier<Policies> policies) {

	/**
	 * Returns the beans of an application, or substitutes of those that the slice lacks.
	 */
	CallerBeans of(CallerBeans application) {
		return new CallerBeans((name) -> this.beans.containsBean(name) ? application.keys().apply(name) : key(name),
				(name) -> this.beans.containsBean(name) ? application.plans().apply(name) : plan(name),
				(name) -> this.beans.containsBean(name) ? application.permits().apply(name) : permits(name));
	}

	private KeyResolver key(String name) {
		return (call) -> {
			throw missing(KeyResolver.class, name, users(name));
		};
	}

	private PlanResolver plan(String name) {
		return (policy, key, call) -> {
			throw missing(PlanResolver.class, name, "policy '" + policy + "'");
		};
	}

	private PermitsResolver permits(String name) {
		return (policy, key, call) -> {
			throw missing(PermitsResolver.class, name, "policy '" + policy + "'");
		};
	}

	/** Returns the policies that a bean is for, or the annotation that names it. */
	private String users(String bean) {
		List<String> names = this.policies.get()
			.all()
			.stream()
			.filter((policy) -> words(policy).anyMatch((word) -> isOf(bean, word)))
			.map((policy) -> '\'' + policy.name() + '\'')
			.toList();
		return names.isEmpty() ? "a @RateLimited" : names.stream()
			.collect(Collectors.joining(", ", (names.size() == 1) ? "policy " : "one of the policies ", ""));
	}

	private static Stream<String> words(Policy policy) {
		CallerSelectors callers = policy.callers();
		return Stream.concat(policy.keys().stream().flatMap((word) -> KeyResolvers.parts(word).stream()),
				Stream.of(callers.exempt(), callers.blocked()).flatMap(List::stream));
	}

	private static boolean isOf(String bean, String word) {
		return word.equals("bean:" + bean) || word.startsWith("bean:" + bean + ':');
	}

	private static IllegalStateException missing(Class<?> type, String name, String user) {
		return new IllegalStateException("A call needs the " + type.getSimpleName() + " bean '" + name + "' of " + user
				+ ", which this slice lacks: add its class to the test with @Import, or a bean of that name");
	}

}
