package io.github.ratelimit.autoconfigure.reload;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.reload.ConfiguredPolicies.Difference;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.LastReload;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * The report of reloads: in the log, for the endpoint, and by the checks of the start.
 *
 * @param last receives the outcome for the endpoint
 * @param checks checks properties that have taken effect, and their environment
 */
record ReloadReport(LastReload last, BiConsumer<RateLimitProperties, Supplier<Environment>> checks) {

	private static final Log logger = LogFactory.getLog(ReloadReport.class);

	/**
	 * Reports that a configuration has taken effect.
	 * @param problem the reason for which the policy source failed; {@code null} if it
	 * did not
	 */
	void applied(Applied applied, @Nullable String problem) {
		this.last.applied(problem, applied.needRestart(), applied.after().digest());
		RateLimitProperties before = applied.before().properties();
		RateLimitProperties after = applied.after().properties();
		warnIfNoneIsLeft("policies", before.policies().keySet(), after.policies().keySet());
		warnIfNoneIsLeft("rules", before.rules(), after.rules());
		if (!applied.needRestart().isEmpty()) {
			logger.warn("These properties have changed and take effect after a restart: " + applied.needRestart());
		}
		switched(applied);
	}

	/**
	 * Reports that other schedules have taken effect, with which the last reload is as it
	 * was.
	 */
	void switched(Applied applied) {
		logger.info("Reloaded the configuration of rate limits; "
				+ changes(applied.before(), applied.after(), applied.difference()));
		this.checks.accept(applied.after().properties(), applied.environment());
	}

	private static String changes(PropertiesInEffect before, PropertiesInEffect after, Difference difference) {
		List<String> changed = difference.changed().stream().map(Policy::name).toList();
		RuleDifference rules = RuleDifference.of(before.properties(), after.properties());
		List<String> changes = new ArrayList<>();
		changes.add("changed policies: " + changed.stream().filter(difference.earlier()::contains).toList());
		addIfAny("added policies", changed.stream().filter((name) -> !difference.earlier().contains(name)).toList(),
				changes);
		addIfAny("removed policies", difference.absent().stream().filter(difference.earlier()::contains).toList(),
				changes);
		addIfAny("changed rules", rules.changed(), changes);
		addIfAny("added rules", rules.added(), changes);
		addIfAny("removed rules", rules.removed(), changes);
		return String.join(", ", changes);
	}

	private static void addIfAny(String what, Collection<String> names, List<String> changes) {
		if (!names.isEmpty()) {
			changes.add(what + ": " + names);
		}
	}

	private static void warnIfNoneIsLeft(String what, Collection<?> before, Collection<?> after) {
		if (!before.isEmpty() && after.isEmpty()) {
			logger.warn("The new configuration has no " + what + ", and the earlier one had " + before.size()
					+ ". If this is not intended, look whether the configuration is complete");
		}
	}

	/** Reports that the policy source failed. */
	void failed(String problem) {
		this.last.refused(problem);
	}

	/** Reports that a configuration was refused. */
	void refused(String problem) {
		this.last.refused(problem);
		logger
			.warn("The configuration of rate limits was not reloaded, and the earlier one stays in effect: " + problem);
	}

	/**
	 * A configuration that has taken effect.
	 *
	 * @param before the configuration before
	 * @param after the configuration
	 * @param difference the difference between their policies
	 * @param needRestart the names of changed properties that take effect after a restart
	 * @param environment supplies the environment
	 */
	record Applied(PropertiesInEffect before, PropertiesInEffect after, Difference difference, List<String> needRestart,
			Supplier<Environment> environment) {

	}

}
