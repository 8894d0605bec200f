package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;

/** The latest calls of some policies, for messages. */
final class CallHistory {

	private static final int LENGTH = 60;

	private final List<Policy> policies;

	private final List<String> history = new ArrayList<>();

	CallHistory(List<Policy> policies) {
		this.policies = policies;
	}

	void note(long now, String what, List<Charge> charges) {
		this.history.add(now + " " + what + " " + charges);
		if (this.history.size() > LENGTH) {
			this.history.remove(0);
		}
	}

	String after(String place) {
		return place + " of " + this.policies.stream().map(CallHistory::described).toList() + " after\n"
				+ String.join("\n", this.history);
	}

	private static String described(Policy policy) {
		return "\n" + policy.name() + " " + described(policy.standard()) + " " + policy.options()
				+ policy.plans()
					.entrySet()
					.stream()
					.map((plan) -> "\n" + plan.getKey() + " " + described(plan.getValue()))
					.toList();
	}

	private static String described(Plan plan) {
		return plan.mode() + " " + described(plan.limits()) + " candidates " + described(plan.candidates());
	}

	private static List<String> described(List<Limit> limits) {
		return limits.stream().map((limit) -> limit + " " + limit.algorithm() + " burst " + limit.burst()).toList();
	}

}
