package io.github.ratelimit.spring.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policy;
import io.swagger.v3.oas.models.Operation;

/**
 * The extension {@code x-ratelimit} of an operation: its policies with their limits as
 * configuration writes them. Its type distinguishes it from an extension of the
 * application.
 */
final class PolicyList extends ArrayList<Map<String, Object>> {

	private static final long serialVersionUID = 1L;

	private static final String NAME = "x-ratelimit";

	private static final String POLICY = "policy";

	private PolicyList() {
	}

	/** Adds policies to the extension of an operation, each once. */
	static void addTo(Operation operation, List<Policy> policies) {
		if (policies.isEmpty()) {
			return;
		}
		if (operation.getExtensions() == null || !operation.getExtensions().containsKey(NAME)) {
			operation.addExtension(NAME, new PolicyList());
		}
		if (operation.getExtensions().get(NAME) instanceof PolicyList known) {
			policies.forEach(known::add);
		}
	}

	private void add(Policy policy) {
		if (stream().noneMatch((entry) -> policy.name().equals(entry.get(POLICY)))) {
			Map<String, Object> entry = new LinkedHashMap<>();
			entry.put(POLICY, policy.name());
			entry.put("limits", policy.limits().stream().map(Limit::toString).toList());
			OwnPermits own = policy.callers().permits();
			if (own != null) {
				entry.put("maxPermits", own.most());
			}
			add(entry);
		}
	}

}
