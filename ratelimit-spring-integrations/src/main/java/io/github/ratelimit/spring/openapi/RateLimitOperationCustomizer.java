package io.github.ratelimit.spring.openapi;

import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import org.springdoc.core.customizers.GlobalOperationComponentsCustomizer;

import org.springframework.web.method.HandlerMethod;

/**
 * The customizer of operations whose handler methods are limited by annotations.
 */
public final class RateLimitOperationCustomizer implements GlobalOperationComponentsCustomizer {

	private final RateLimitedMethods methods;

	private final OperationLimits limits;

	/**
	 * Creates a customizer.
	 * @param methods the limits of methods
	 * @param limits documents limits
	 */
	public RateLimitOperationCustomizer(RateLimitedMethods methods, OperationLimits limits) {
		this.methods = methods;
		this.limits = limits;
	}

	@Override
	public Operation customize(Operation operation, Components components, HandlerMethod handlerMethod) {
		RateLimitedMethod method = this.methods.find(handlerMethod.getMethod(), handlerMethod.getBeanType());
		if (method != null) {
			this.limits.document(operation, components, method.policies(), method.isCostComputed());
		}
		return operation;
	}

	/**
	 * Returns the operation as it is, as springdoc prefers the method with components.
	 */
	@Override
	public Operation customize(Operation operation, HandlerMethod handlerMethod) {
		return operation;
	}

}
