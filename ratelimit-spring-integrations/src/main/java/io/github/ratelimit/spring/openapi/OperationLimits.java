package io.github.ratelimit.spring.openapi;

import java.util.Collection;
import java.util.List;

import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

/**
 * The documentation of the policies that limit operations: the responses to rejected
 * calls, the headers that report limits, and an extension with the limits. It leaves what
 * the application documents itself as it is.
 */
public final class OperationLimits {

	private static final String TOO_MANY_REQUESTS = "429";

	private static final String SERVICE_UNAVAILABLE = "503";

	private static final String UNPROCESSABLE_CONTENT = "422";

	private static final String FORBIDDEN = "403";

	private final Policies policies;

	private final LimitHeaders headers;

	/**
	 * Creates the documentation.
	 * @param policies the policies that may limit operations
	 * @param headers the headers that report limits
	 */
	public OperationLimits(Policies policies, RateLimitHeaders headers) {
		this.policies = policies;
		this.headers = new LimitHeaders(headers);
	}

	/**
	 * Documents policies of an operation. Policies that deny nothing are left out.
	 * @param operation the operation
	 * @param components the components of the document
	 * @param names the names of the policies
	 * @param isCostComputed whether a cost depends on the call
	 */
	void document(Operation operation, Components components, Collection<String> names, boolean isCostComputed) {
		List<Policy> limiting = names.stream().distinct().map(this.policies::get).filter(Policy::isEnforced).toList();
		if (limiting.isEmpty()) {
			return;
		}
		if (operation.getResponses() == null) {
			operation.setResponses(new ApiResponses());
		}
		List<Policy> shown = limiting.stream().filter((policy) -> !policy.options().hidden()).toList();
		deny(operation.getResponses(), components, !shown.isEmpty());
		reject(operation.getResponses(), components, limiting, isCostComputed);
		PolicyList.addTo(operation, shown);
	}

	private void deny(ApiResponses responses, Components components, boolean showsLimits) {
		ApiResponse denial = responses.computeIfAbsent(TOO_MANY_REQUESTS,
				(status) -> ProblemSchema.response("Rate limit exceeded", components));
		this.headers.addRetryAfter(denial);
		responses.forEach((status, response) -> {
			if (showsLimits && (status.startsWith("2") || status.equals(TOO_MANY_REQUESTS))) {
				this.headers.addLimits(response);
			}
		});
	}

	private void reject(ApiResponses responses, Components components, List<Policy> policies, boolean isCostComputed) {
		if (policies.stream().anyMatch(OperationLimits::mayRefuseCaller)) {
			responses.computeIfAbsent(FORBIDDEN, (status) -> ProblemSchema.response("Caller refused", components));
		}
		if (isCostComputed || policies.stream().anyMatch((policy) -> policy.callers().permits() != null)) {
			responses.computeIfAbsent(UNPROCESSABLE_CONTENT,
					(status) -> ProblemSchema.response("Cost that can never be charged", components));
		}
		if (policies.stream().anyMatch((policy) -> policy.options().onStoreFailure() == OnStoreFailure.DENY)) {
			responses.computeIfAbsent(SERVICE_UNAVAILABLE, (status) -> {
				ApiResponse failure = ProblemSchema.response("Temporarily reduced capacity", components);
				this.headers.addRetryAfter(failure);
				return failure;
			});
		}
	}

	private static boolean mayRefuseCaller(Policy policy) {
		return policy.options().onMissingKey() == OnMissingKey.DENY || !policy.callers().blocked().isEmpty();
	}

}
