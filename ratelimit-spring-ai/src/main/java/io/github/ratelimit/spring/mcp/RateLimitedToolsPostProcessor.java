package io.github.ratelimit.spring.mcp;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/**
 * A post-processor that limits the tools of the application. Spring AI collects them in
 * beans that are lists. In proxied beans, such as those with limits, it has the failures
 * of methods that are tools recorded.
 */
public final class RateLimitedToolsPostProcessor implements BeanPostProcessor {

	/** The annotations of methods that are tools, which an application may lack. */
	private static final List<String> ANNOTATIONS = List.of("org.springframework.ai.mcp.annotation.McpTool",
			"org.springframework.ai.tool.annotation.Tool");

	private final Supplier<RateLimitedTools> tools;

	private final Supplier<ToolCalls> calls;

	/**
	 * Creates a post-processor.
	 * @param tools supplies the limits of tools
	 * @param calls supplies the calls that threads run
	 */
	public RateLimitedToolsPostProcessor(Supplier<RateLimitedTools> tools, Supplier<ToolCalls> calls) {
		this.tools = tools;
		this.calls = calls;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof List<?> list) {
			return list.stream().anyMatch(RateLimitedToolsPostProcessor::isTool)
					? list.stream().map(this::limited).toList() : bean;
		}
		if (bean instanceof Advised proxy && !proxy.isFrozen() && hasTools(AopUtils.getTargetClass(bean))) {
			proxy.addAdvisor(0, recorder());
		}
		return bean;
	}

	private static boolean isTool(Object element) {
		return element instanceof McpServerFeatures.SyncToolSpecification
				|| element instanceof McpServerFeatures.AsyncToolSpecification
				|| element instanceof McpStatelessServerFeatures.SyncToolSpecification
				|| element instanceof McpStatelessServerFeatures.AsyncToolSpecification;
	}

	private Object limited(Object element) {
		if (element instanceof McpServerFeatures.SyncToolSpecification tool) {
			return this.tools.get().limit(tool);
		}
		if (element instanceof McpServerFeatures.AsyncToolSpecification tool) {
			return this.tools.get().limit(tool);
		}
		if (element instanceof McpStatelessServerFeatures.SyncToolSpecification tool) {
			return this.tools.get().limit(tool);
		}
		return (element instanceof McpStatelessServerFeatures.AsyncToolSpecification tool)
				? this.tools.get().limit(tool) : element;
	}

	private static boolean hasTools(Class<?> type) {
		return Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type)).anyMatch(ToolMethods::isTool);
	}

	/** Returns the advisor, whose order keeps it in front of all others. */
	private DefaultPointcutAdvisor recorder() {
		DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(new ToolMethods(),
				new ToolFailureRecorder(this.calls.get()));
		advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return advisor;
	}

	/** A pointcut of methods that are tools. */
	private static final class ToolMethods extends StaticMethodMatcherPointcut {

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return isTool(AopUtils.getMostSpecificMethod(method, targetClass));
		}

		private static boolean isTool(Method method) {
			return Stream.of(method.getAnnotations())
				.map((annotation) -> annotation.annotationType().getName())
				.anyMatch(ANNOTATIONS::contains);
		}

	}

}
