package io.github.ratelimit.spring.method;

import java.util.ArrayList;
import java.util.List;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * A post-processor that restores the order of advice on limited beans. Post-processors
 * such as those of {@code @Async} and {@code @Retryable} put their advisors in front of
 * all others, whatever their order is. This one moves advisors that belong behind the
 * limit. It runs after all post-processors that are {@link Ordered}.
 */
public final class RateLimitOrderPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof Advised proxy && !proxy.isFrozen()) {
			for (Advisor advisor : proxy.getAdvisors()) {
				if (advisor instanceof RateLimitAdvisor limit) {
					moveBehind(limit, proxy);
				}
			}
		}
		return bean;
	}

	/**
	 * Moves later advisors behind the limit. Proxies sort by order, so these were moved.
	 */
	private static void moveBehind(RateLimitAdvisor limit, Advised proxy) {
		List<Advisor> later = new ArrayList<>();
		for (Advisor advisor : List.of(proxy.getAdvisors()).subList(0, proxy.indexOf(limit))) {
			if (isBehind(limit, advisor)) {
				later.add(advisor);
			}
		}
		later.forEach(proxy::removeAdvisor);
		int behind = proxy.indexOf(limit) + 1;
		for (int i = 0; i < later.size(); i++) {
			proxy.addAdvisor(behind + i, later.get(i));
		}
	}

	/**
	 * Returns whether an advisor belongs behind the limit. The advice of {@code @Async}
	 * claims to be the first, so the order of its post-processor counts, which is last.
	 */
	private static boolean isBehind(RateLimitAdvisor limit, Advisor advisor) {
		return (advisor.getAdvice() instanceof AsyncExecutionInterceptor) ? limit.getOrder() < Ordered.LOWEST_PRECEDENCE
				: AnnotationAwareOrderComparator.INSTANCE.compare(advisor, limit) > 0;
	}

}
