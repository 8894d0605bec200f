package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ActiveControl.Outcome;
import io.github.ratelimit.spring.control.ActiveControl.Replacement;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Control.Reset;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request that sets several controls, as the endpoint shows it.
 *
 * @param set the keys whose control was set
 * @param refused the keys whose control was refused
 * @param lifted the identifiers of controls that were lifted
 */
public record OutcomeReport(List<SetReport> set, List<RefusalReport> refused, List<String> lifted) {

	static OutcomeReport of(List<Outcome> outcomes, List<String> lifted) {
		return new OutcomeReport(outcomes.stream().map(SetReport::of).flatMap(Stream::ofNullable).toList(),
				outcomes.stream().map(RefusalReport::of).flatMap(Stream::ofNullable).toList(), lifted);
	}

	/**
	 * A control that was set.
	 *
	 * @param policy the policy
	 * @param key the key
	 * @param id the identifier, by which it can be lifted; {@code null} for a reset
	 */
	public record SetReport(@Nullable String policy, @Nullable String key, @Nullable String id) {

		static @Nullable SetReport of(Outcome outcome) {
			Replacement set = outcome.set();
			return (set == null) ? null : new SetReport(outcome.control().policy(), outcome.control().subject(),
					(outcome.control() instanceof Reset) ? null : set.control().id());
		}

	}

	/**
	 * A control that was refused.
	 *
	 * @param policy the policy
	 * @param key the key
	 * @param reason what is wrong with it
	 */
	public record RefusalReport(@Nullable String policy, @Nullable String key, String reason) {

		static @Nullable RefusalReport of(Outcome outcome) {
			Control control = outcome.control();
			return (outcome.refused() == null) ? null
					: new RefusalReport(control.policy(), control.subject(), outcome.refused());
		}

	}

}
