package io.github.ratelimit.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Alignment;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * A policy.
 *
 * @param limits Permits per period, such as 100/1m, or calls at a time, such as 5
 * concurrent; all of several apply. A limit may have an algorithm, a burst and an
 * alignment: 10/1s burst 20, 1000/1d fixed-window align day zone Asia/Tokyo.
 * @param algorithm Algorithm of limits that name none.
 * @param burst Most permits that can be spent at once. By default those of one period.
 * @param align Unit of the calendar that windows of a fixed-window begin with: minute,
 * hour, day, week or month. By default they begin with a first call.
 * @param zone Time zone of the calendar.
 * @param key Key to limit by, the first of several that is there, such as client-ip,
 * header:NAME, or an expression that starts with #.
 * @param onMissingKey Treatment of a call without a key.
 * @param maxWait Longest time that a call waits for its permits, or for another call to
 * end; zero denies at once.
 * @param maxWaiting Most threads of an instance that wait at the same time; further calls
 * are denied at once.
 * @param maxCost Most permits that a call may cost.
 * @param aboveMaxCost Treatment of a call that costs more.
 * @param shares Name of the policy whose limits and counters are used, instead of limits.
 * @param reserve Part of the shared policy's burst that must be left when a call is
 * admitted, such as 20%.
 * @param mode Effect of the limits: deny calls, only report them, or none.
 * @param enforce Share of keys for which the limits deny calls, such as 10%. For other
 * keys, they only report them.
 * @param candidate Limits to try in shadow next to the others, for callers without a plan
 * of the policy.
 * @param plan Word that resolves to the name of a caller's plan, such as header:NAME, or
 * an expression that starts with #.
 * @param plans Limits of callers with a plan, by the plan's name: one for each of the
 * policy's. Or limits and mode of the plan, which by default are the policy's, and its
 * schedules.
 * @param permits Word that resolves to the permits of a caller's limit, such as
 * claim:NAME, or an expression that starts with #. Without a number, limits and plans
 * apply.
 * @param maxPermits Most permits that a call can tell. A higher number counts as this.
 * @param exempt Callers that the policy does not limit, such as ip:RANGE, role:NAME, or
 * an expression that starts with #.
 * @param blocked Callers whose calls the policy rejects, in the same words.
 * @param onStoreFailure Decision on a call if the store fails. By default
 * ratelimit.on-store-failure.
 * @param localShare Percentage of each limit that an instance admits on its own while the
 * store fails, or auto for the limit divided by the number of instances. By default
 * ratelimit.local-share.
 * @param prefetch Permits that an instance prefetches for a busy key, to spend them
 * without a round trip to Redis.
 * @param headers Whether responses tell clients of the policy, in headers and problems.
 * @param schedules Limits at certain times of the day and days of the week. The first
 * that includes the time applies, otherwise limits.
 * @param penalty Ban that follows many denials of one key.
 * @param nearLimit Percentages of a limit from which admitted calls are near it. By
 * default ratelimit.near-limit.
 */
@ConfigurationPropertiesSource
@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each property of a
														// policy
record PolicyProperties(@DefaultValue List<String> limits, @DefaultValue(Limit.STANDARD_ALGORITHM) Algorithm algorithm,
		@Nullable Long burst, @Nullable String align, @DefaultValue(Alignment.STANDARD_ZONE) String zone,
		@DefaultValue(Policy.EVERYONE) List<String> key, @DefaultValue("shared") OnMissingKey onMissingKey,
		@DefaultValue("0s") Duration maxWait, @DefaultValue("" + PolicyOptions.STANDARD_MAX_WAITING) int maxWaiting,
		@Nullable Long maxCost, @DefaultValue("refuse") AboveMaxCost aboveMaxCost, @Nullable String shares,
		@Nullable String reserve, @DefaultValue("enforce") EnforcementMode mode, @DefaultValue("100%") String enforce,
		@DefaultValue List<String> candidate, @Nullable String plan, @DefaultValue Map<String, PlanProperties> plans,
		@Nullable String permits, @Nullable Long maxPermits, @DefaultValue List<String> exempt,
		@DefaultValue List<String> blocked, @Nullable OnStoreFailure onStoreFailure, @Nullable String localShare,
		@DefaultValue("0") long prefetch, @DefaultValue("shown") Headers headers,
		@DefaultValue List<ScheduleProperties> schedules, @Nullable PenaltyProperties penalty,
		@DefaultValue List<String> nearLimit) {

	/** Returns this policy with a key if it has none of its own. */
	PolicyProperties keyedBy(String word) {
		return !this.key.equals(List.of(Policy.EVERYONE)) ? this
				: new PolicyProperties(this.limits, this.algorithm, this.burst, this.align, this.zone, List.of(word),
						this.onMissingKey, this.maxWait, this.maxWaiting, this.maxCost, this.aboveMaxCost, this.shares,
						this.reserve, this.mode, this.enforce, this.candidate, this.plan, this.plans, this.permits,
						this.maxPermits, this.exempt, this.blocked, this.onStoreFailure, this.localShare, this.prefetch,
						this.headers, this.schedules, this.penalty, this.nearLimit);
	}

	/**
	 * A plan.
	 *
	 * @param value Limits of a plan that has nothing else.
	 * @param limits Limits. By default those of the policy.
	 * @param mode Effect of the limits. By default that of the policy.
	 * @param schedules Limits at certain times. The first that includes the time applies.
	 */
	record PlanProperties(@Name("") @Nullable List<String> value, @Nullable List<String> limits,
			@Nullable EnforcementMode mode, @DefaultValue List<ScheduleProperties> schedules) {

		/** The component without a name, which binds to the name of the plan itself. */
		static final String UNNAMED = "value";

	}

	/**
	 * A ban that follows many denials of one key.
	 *
	 * @param after Denials that lead to a ban, and the time within which they count, such
	 * as 20/1m.
	 * @param block Duration of the first ban.
	 * @param factor Factor by which each further ban is longer.
	 * @param max Longest ban.
	 */
	record PenaltyProperties(@Nullable String after, @DefaultValue("10m") Duration block, @DefaultValue("2") int factor,
			@DefaultValue("1d") Duration max) {

	}

	/**
	 * Limits at certain times.
	 *
	 * @param from Time of the day at which they begin, such as 08:00.
	 * @param to Time of the day at which they end, which may be on the day after.
	 * @param days Days of the week on which they begin, such as mon-fri. By default all.
	 * @param dates Dates on which they begin, such as 2026-11-27..2026-11-30. By default
	 * all.
	 * @param zone Time zone. By default that of the policy.
	 * @param limits Permits per period.
	 */
	@ConfigurationPropertiesSource
	record ScheduleProperties(@DefaultValue("00:00") String from, @DefaultValue("24:00") String to,
			@DefaultValue List<String> days, @DefaultValue List<String> dates, @Nullable String zone,
			@DefaultValue List<String> limits) {

	}

	/**
	 * The treatments of a call that costs more than a policy allows.
	 */
	enum AboveMaxCost {

		/** Charge the most that is allowed. */
		CLAMP,

		/** Reject the call and charge nothing. */
		REFUSE

	}

	/**
	 * The treatments of a policy in responses.
	 */
	enum Headers {

		/** Tell clients its name and what is left. */
		SHOWN,

		/** Tell clients nothing of it but when to retry. */
		HIDDEN

	}

}
