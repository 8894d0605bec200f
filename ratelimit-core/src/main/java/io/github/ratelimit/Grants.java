package io.github.ratelimit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import org.jspecify.annotations.Nullable;

/**
 * The charges of a denied call that go to grants instead of the limits that denied it.
 */
final class Grants {

	private final KeyControls controls;

	private final Set<String> denying = new HashSet<>();

	private Grants(KeyControls controls, Decision denial) {
		this.controls = controls;
		denial.limits()
			.stream()
			.filter((limit) -> !limit.allowed())
			.map(LimitDecision::policy)
			.forEach(this.denying::add);
	}

	/**
	 * Returns the charges to try instead of denied ones, or {@code null} if a policy that
	 * denied them has no grant for its key.
	 */
	static @Nullable ResolvedCharges insteadOf(ResolvedCharges denied, Decision denial, KeyControls controls) {
		return (denial.allowed() || controls.isEmpty()) ? null : new Grants(controls, denial).replaced(denied);
	}

	private @Nullable ResolvedCharges replaced(ResolvedCharges denied) {
		List<Charge> charges = new ArrayList<>();
		List<PermitRequest> permits = new ArrayList<>();
		for (Charge charge : denied.charges()) {
			boolean denies = this.denying.contains(charge.policy());
			Grant grant = denies ? this.controls.of(charge.policy(), charge.key()).grant() : null;
			if (denies && (grant == null || charge.cost() > grant.limit().burst())) {
				return null;
			}
			charges.add((grant != null) ? new Charge(charge.policy(), grant.id(), charge.cost()) : charge);
			if (grant != null) {
				permits.add(permit(charge, grant));
			}
		}
		denied.request().permits().stream().filter((permit) -> !isReplaced(permit)).forEach(permits::add);
		return denied.with(charges, permits);
	}

	private boolean isReplaced(PermitRequest permit) {
		return this.denying.contains(permit.policy())
				&& this.controls.of(permit.policy(), permit.key()).grant() != null;
	}

	private static PermitRequest permit(Charge charge, Grant grant) {
		return new PermitRequest(new PolicyLimit(charge.policy(), charge.policy(), 0, grant.limit(), 0), grant.id(),
				charge.cost(), 0);
	}

}
