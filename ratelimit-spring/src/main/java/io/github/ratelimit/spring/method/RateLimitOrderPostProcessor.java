package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * A post-processor that puts the limit in front of advice that belongs behind it.
 * Post-processors such as those of {@code @Async} and {@code @Retryable} put their
 * advisors in front of all others, whatever their order is. This one moves the limit of
 * the methods concerned, and nothing else: all other advice keeps its place. It runs
 * after all post-processors that are {@link Ordered}.
 */
public final class RateLimitOrderPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof Advised proxy && !proxy.isFrozen()) {
			List<RateLimitAdvisor> limits = Stream.of(proxy.getAdvisors())
				.filter(RateLimitAdvisor.class::isInstance)
				.map(RateLimitAdvisor.class::cast)
				.toList();
			if (limits.size() == 1) {
				place(limits.get(0), proxy);
			}
		}
		return bean;
	}

	/**
	 * Divides the limit if other advice was put in front of it. Methods with such advice
	 * are limited before it, and other methods where the order of the limit is.
	 */
	private static void place(RateLimitAdvisor limit, Advised proxy) {
		List<Advisor> before = List.of(proxy.getAdvisors()).subList(0, proxy.indexOf(limit));
		List<Advisor> later = before.stream().filter((advisor) -> isBehind(limit, advisor)).toList();
		if (!later.isEmpty()) {
			int first = before.indexOf(later.get(0));
			List<Advisor> earlier = before.stream().skip(first).filter((advisor) -> !later.contains(advisor)).toList();
			proxy.replaceAdvisor(limit, limit.ofMethodsWithout(later));
			later.stream()
				.filter(EarlyLimit::isAsynchronous)
				.forEach((advisor) -> proxy.addAdvisor(proxy.indexOf(advisor) + 1, limit.ofTasks()));
			proxy.addAdvisor(first, limit.ofMethodsWith(later, earlier));
		}
	}

	/**
	 * Returns whether an advisor belongs behind the limit. The advice of {@code @Async}
	 * claims to be the first, so the order of its post-processor counts, which is last.
	 */
	private static boolean isBehind(RateLimitAdvisor limit, Advisor advisor) {
		return EarlyLimit.isAsynchronous(advisor) ? limit.getOrder() < Ordered.LOWEST_PRECEDENCE
				: AnnotationAwareOrderComparator.INSTANCE.compare(advisor, limit) > 0;
	}

}
