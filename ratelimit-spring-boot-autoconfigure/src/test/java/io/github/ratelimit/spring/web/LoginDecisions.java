package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.TypedName;

/**
 * The decisions on logins that listeners hear of, by account.
 */
final class LoginDecisions implements RateLimitListener {

	private final Map<String, Integer> charged = new ConcurrentHashMap<>();

	private final Map<String, Integer> denied = new ConcurrentHashMap<>();

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		Map<String, Integer> decisions = decision.allowed() ? this.charged : this.denied;
		charges.forEach((charge) -> decisions.merge(charge.key(), 1, Integer::sum));
	}

	int charged(String account) {
		return this.charged.getOrDefault("expression:" + TypedName.of(account), 0);
	}

	int denied(String account) {
		return this.denied.getOrDefault("expression:" + TypedName.of(account), 0);
	}

}
