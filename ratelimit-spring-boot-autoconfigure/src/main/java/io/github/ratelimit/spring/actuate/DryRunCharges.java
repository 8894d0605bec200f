package io.github.ratelimit.spring.actuate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import org.jspecify.annotations.Nullable;

/**
 * The charges of one dry run and what they would meet. Each is looked up once, so that
 * what is said of a charge and of the request agrees.
 */
final class DryRunCharges {

	private final Policies policies;

	private final KeyLookup lookup;

	private final Map<List<Standing>, ChargeRun> known = new HashMap<>();

	DryRunCharges(Policies policies, KeyLookup lookup) {
		this.policies = policies;
		this.lookup = lookup;
	}

	/** Returns what each charge alone would meet. */
	List<ChargeRun> of(List<Standing> standings) {
		return standings.stream().map((standing) -> together(List.of(standing))).toList();
	}

	/**
	 * Returns whether a request would be denied. Its charges of the same policy and key
	 * add up. Returns null if that is not known.
	 */
	@Nullable Boolean denied(List<Standing> standings) {
		boolean known = true;
		for (List<Standing> same : standings.stream()
			.collect(Collectors.groupingBy(DryRunCharges::count, LinkedHashMap::new, Collectors.toList()))
			.values()) {
			Boolean denies = together(same).denies();
			if (Boolean.TRUE.equals(denies)) {
				return true;
			}
			known &= denies != null;
		}
		return known ? false : null;
	}

	/** Returns what is charged, or what charges nothing. */
	private static Object count(Standing standing) {
		Charge charge = standing.charge();
		return (charge == null || standing.state() == State.EXEMPT) ? standing
				: new Subject(charge.policy(), charge.key());
	}

	private ChargeRun together(List<Standing> same) {
		return this.known.computeIfAbsent(same, this::run);
	}

	private ChargeRun run(List<Standing> same) {
		Standing first = same.get(0);
		if (first.charge() == null || first.state() == State.EXEMPT) {
			return ChargeRun.of(first);
		}
		Policy policy = this.policies.get(first.charge().policy());
		List<Charge> charges = same.stream()
			.flatMap((standing) -> Stream.ofNullable(standing.charge()))
			.map((charge) -> charge.costing(policy.clamped(charge.cost())))
			.toList();
		try {
			return ChargeRun.of(charges, policy, this.lookup.of(policy, charges));
		}
		catch (IllegalArgumentException ex) { // the cost is more than can ever be spent
			return ChargeRun.of(new Standing(policy, State.FAILED, null));
		}
	}

}
