package io.github.ratelimit.starter;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.method.RateLimitAdvisor;
import io.github.ratelimit.starter.TracedAdvice.First;
import io.github.ratelimit.starter.TracedAdvice.Orders;
import io.github.ratelimit.starter.TracedAdvice.Second;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The order of other advice on methods with a limit: what it is without one, for all sets
 * of annotations, and for all orders that an application gives to advice.
 */
@Tag("long")
class OtherAdviceTests {

	private static final int LIMIT = RateLimitAdvisor.ORDER;

	private static final List<Annotation> ANNOTATIONS = annotations(All.class);

	private static final List<Annotation> LIMITED = annotations(LimitOnly.class);

	@Test
	void keepsItsOrderWithEachSetOfAnnotations() {
		keepsTheirOrder(Map.of("first", 1, "second", LIMIT + 1),
				IntStream.range(0, 1 << ANNOTATIONS.size()).mapToObj(OtherAdviceTests::subset).toList());
	}

	@ParameterizedTest
	@MethodSource("orders")
	void keepsItsOrderWithEachOrderOfAdvice(Map<String, Integer> orders) {
		keepsTheirOrder(orders,
				IntStream.range(-1, ANNOTATIONS.size())
					.map((left) -> (1 << ANNOTATIONS.size()) - 1 & ~((left < 0) ? 0 : 1 << left))
					.mapToObj(OtherAdviceTests::subset)
					.toList());
	}

	static Stream<Map<String, Integer>> orders() {
		return permutations(List.of("transaction", "cache", "first", "second"))
			.map((names) -> ordered(names, 0, 1, LIMIT + 1, LIMIT + 2));
	}

	private static void keepsTheirOrder(Map<String, Integer> orders, List<List<Annotation>> sets) {
		ApplicationContextRunner runner = OtherAdvice.context()
			.withBean(Orders.class, () -> new Orders(orders))
			.withUserConfiguration(TracedAdvice.class);
		for (List<Annotation> set : sets) {
			runner = withWork(withWork(runner, name("without", set), set), name("with", set),
					Stream.concat(set.stream(), LIMITED.stream()).toList());
		}
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			sets.forEach((set) -> keepsItsOrder(context, set, orders));
		});
	}

	private static void keepsItsOrder(ApplicationContext context, List<Annotation> set, Map<String, Integer> orders) {
		Work without = context.getBean(name("without", set), Work.class);
		Work with = context.getBean(name("with", set), Work.class);
		assertThat(advisors(with).filter((advisor) -> !isOwn(advisor)))
			.containsExactlyElementsOf(advisors(without).toList());
		List<String> trace = trace(context, without);
		assertThat(trace(context, with)).as(set.toString()).isEqualTo(limited(trace, set, orders));
	}

	/** Returns a trace with the limit where the documentation says it is. */
	private static List<String> limited(List<String> trace, List<Annotation> set, Map<String, Integer> orders) {
		List<String> limited = new ArrayList<>(trace);
		boolean first = set.stream().anyMatch((one) -> one instanceof Async || one instanceof Retryable);
		limited.add(first ? 0 : (int) trace.stream()
			.takeWhile(
					(name) -> name.equals("completion") || orders.getOrDefault(name, Ordered.LOWEST_PRECEDENCE) < LIMIT)
			.count(), "limit");
		return limited;
	}

	private static boolean isOwn(Advisor advisor) {
		return advisor.getAdvice().getClass().getPackageName().equals(RateLimitAdvisor.class.getPackageName());
	}

	private static Stream<Advisor> advisors(Work work) {
		return (work instanceof Advised proxy) ? Stream.of(proxy.getAdvisors()) : Stream.empty();
	}

	private static List<String> trace(ApplicationContext context, Work work) {
		List<String> trace = context.getBean(TracedAdvice.class).trace;
		trace.clear();
		try {
			work.on("a word");
		}
		catch (IllegalStateException ex) {
			trace.add("failed");
		}
		return List.copyOf(trace);
	}

	private static ApplicationContextRunner withWork(ApplicationContextRunner runner, String name,
			List<Annotation> annotations) {
		Class<? extends Work> type = new ByteBuddy().subclass(Work.class)
			.name(Work.class.getPackageName() + ".Generated" + System.identityHashCode(annotations))
			.method(ElementMatchers.named("on"))
			.intercept(SuperMethodCall.INSTANCE)
			.annotateMethod(annotations)
			.make()
			.load(Work.class.getClassLoader(), ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
			.getLoaded();
		return withBean(runner, name, type);
	}

	private static <T extends Work> ApplicationContextRunner withBean(ApplicationContextRunner runner, String name,
			Class<T> type) {
		return runner.withBean(name, type);
	}

	private static String name(String prefix, List<Annotation> set) {
		return prefix + set.stream().map((one) -> one.annotationType().getSimpleName()).toList();
	}

	private static List<Annotation> subset(int bits) {
		return IntStream.range(0, ANNOTATIONS.size())
			.filter((bit) -> (bits & 1 << bit) != 0)
			.mapToObj(ANNOTATIONS::get)
			.toList();
	}

	private static List<Annotation> annotations(Class<? extends Work> type) {
		return List.of(type.getDeclaredMethods()[0].getAnnotations());
	}

	private static Map<String, Integer> ordered(List<String> names, int... orders) {
		Map<String, Integer> ordered = new HashMap<>();
		for (int i = 0; i < orders.length; i++) {
			ordered.put(names.get(i), orders[i]);
		}
		return ordered;
	}

	private static Stream<List<String>> permutations(Collection<String> names) {
		return names.isEmpty() ? Stream.of(List.of())
				: names.stream()
					.flatMap((first) -> permutations(names.stream().filter((name) -> !name.equals(first)).toList())
						.map((rest) -> Stream.concat(Stream.of(first), rest.stream()).toList()));
	}

	/** A method that fails at first. */
	public static class Work {

		private boolean failed;

		/**
		 * Does it.
		 * @param word some argument
		 */
		public void on(String word) {
			if (!this.failed) {
				this.failed = true;
				throw new IllegalStateException(word);
			}
		}

	}

	static class All extends Work {

		@Override
		@Async
		@Retryable(delay = 0)
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@Cacheable(cacheNames = "results", keyGenerator = "traced")
		@TransactionalEventListener
		@First
		@Second
		public void on(String word) {
		}

	}

	static class LimitOnly extends Work {

		@Override
		@RateLimited("many")
		public void on(String word) {
		}

	}

}
