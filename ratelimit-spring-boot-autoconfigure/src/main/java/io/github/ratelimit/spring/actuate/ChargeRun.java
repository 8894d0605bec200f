package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.Set;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.KeyLookup.KeyReport;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import org.jspecify.annotations.Nullable;

/**
 * A charge of a request that is run dry.
 *
 * @param policy the policy
 * @param state {@code limited}, or why no limit applies or that is not known
 * @param digest the digest of the key
 * @param key the key, unless it may be a credential
 * @param cost the permits
 * @param mode the mode of the limits
 * @param denies whether the charge would be denied; {@code null} if that is not known
 * @param left the limits and what is left of them
 */
public record ChargeRun(String policy, String state, @Nullable String digest, @Nullable String key, @Nullable Long cost,
		@Nullable String mode, @Nullable Boolean denies, @Nullable KeyReport left) {

	private static final Set<String> SHARED = Set.of(Policy.EVERYONE, KeyResolvers.MISSING);

	static ChargeRun of(Standing standing) {
		Boolean denies = switch (standing.state()) {
			case BLOCKED, KEYLESS -> true;
			case EXEMPT, SKIPPED, UNMET -> false;
			default -> null;
		};
		return new ChargeRun(standing.policy().name(), PolicyReports.lowerCase(standing.state()), null, null, null,
				null, denies, null);
	}

	/** Returns the run of charges of one policy and key, which add up. */
	static ChargeRun of(List<Charge> charges, Policy policy, KeyReport left) {
		Charge charge = charges.get(0);
		boolean isShown = isShown(charge.key());
		long cost = charges.stream()
			.mapToLong(Charge::cost)
			.reduce(0, (sum, next) -> sum + Math.min(next, Long.MAX_VALUE - sum));
		Policy ofKey = policy.forKey(charge.key());
		Plan plan = (charge.plan() != null) ? ofKey.plans().get(charge.plan()) : null;
		return new ChargeRun(policy.name(), PolicyReports.lowerCase(State.LIMITED), KeyDigest.inPlaceOf(charge.key()),
				isShown ? charge.key() : null, cost,
				PolicyReports.lowerCase(((plan != null) ? plan : ofKey.standard()).mode()), left.denies(cost),
				isShown ? left : left.withoutKey(charge.key()));
	}

	/** Returns whether a key is one by which the operator asked, and no credential. */
	private static boolean isShown(String key) {
		return SHARED.contains(key)
				|| ((key.startsWith("client-ip:") || key.startsWith("principal:")) && !key.contains(" + "));
	}

}
