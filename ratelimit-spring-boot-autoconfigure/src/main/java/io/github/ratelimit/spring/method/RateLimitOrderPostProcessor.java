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
 * Restores the order of advice on limited beans. Post-processors, such as those of
 * {@code @Async} and {@code @Retryable}, put their advisors in front of all others
 * whatever their order is. Those that belong behind the limit are moved there. Runs after
 * all post-processors that are {@link Ordered}.
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

	/** Proxies sort by order, so a later one in front of the limit was put there. */
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
	 * The advice of {@code @Async} claims to be the first of all, so the order of its
	 * post-processor counts, which is the last.
	 */
	private static boolean isBehind(RateLimitAdvisor limit, Advisor advisor) {
		return (advisor.getAdvice() instanceof AsyncExecutionInterceptor) ? limit.getOrder() < Ordered.LOWEST_PRECEDENCE
				: AnnotationAwareOrderComparator.INSTANCE.compare(advisor, limit) > 0;
	}

}
