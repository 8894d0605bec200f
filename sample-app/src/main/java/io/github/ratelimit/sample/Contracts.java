package io.github.ratelimit.sample;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.PlanResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The plans that customers pay for; yours are in a database.
 */
@Component
class Contracts implements PlanResolver {

	private final Map<String, String> plans = new ConcurrentHashMap<>(Map.of("initech", "premium"));

	void sign(String customer, String plan) {
		this.plans.put(customer, plan);
	}

	@Override
	public @Nullable String resolve(String policy, String key, CallContext call) {
		String customer = call.caller().principal();
		return (customer != null) ? this.plans.get(customer) : null;
	}

}
