package io.github.ratelimit.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The options of a policy. Immutable.
 *
 * @param maxWait how long a call may wait for its turn, or for a permit that another call
 * holds, at most 366 days; zero denies a call that does not fit at once
 * @param maxWaiting the most threads of this instance that wait at once, at least 0; a
 * call beyond them is denied at once, while calls that wait without a thread are not
 * counted
 * @param maxCost a bound on the cost of a call; {@code null} for none
 * @param sharedCounter the policy whose counts are charged; {@code null} for the policy's
 * own counts
 * @param onMissingKey the fate of a call for which no key resolves
 * @param storeFailure the fate of a call that the store fails to decide
 * @param prefetch permits that an instance may prefetch for a busy key, to spend them
 * without a round trip; 0 for none
 * @param hidden whether clients are told neither the policy's name nor its limits
 * @param enforced the keys for which limits deny calls; for others, they are in shadow
 */
@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each option of a policy
public record PolicyOptions(Duration maxWait, int maxWaiting, @Nullable MaxCost maxCost,
		@Nullable SharedCounter sharedCounter, OnMissingKey onMissingKey, StoreFailure storeFailure, long prefetch,
		boolean hidden, EnforcedShare enforced) {

	private static final Duration LONGEST_WAIT = Duration.ofDays(366);

	/** The threads of an instance that wait at once, at most, by default. */
	public static final int STANDARD_MAX_WAITING = 64;

	/**
	 * The defaults: calls do not wait (and would do so on a few threads only), no cost is
	 * bounded, all permits may be spent, calls without a key share a count, each instance
	 * decides on its own when the store fails, nothing is prefetched, clients are told
	 * what limits them, and limits deny the calls of all keys.
	 */
	public static final PolicyOptions STANDARD = new PolicyOptions(Duration.ZERO, STANDARD_MAX_WAITING, null, null,
			OnMissingKey.SHARED, new StoreFailure(OnStoreFailure.LOCAL, LocalShare.ALL), 0, false, EnforcedShare.ALL);

	/**
	 * Checks the components.
	 * @param maxWait how long a call may wait for its turn, at most 366 days
	 * @param maxWaiting the most threads of this instance that wait at once, at least 0
	 * @param maxCost a bound on the cost of a call
	 * @param sharedCounter the policy whose counts are charged
	 * @param onMissingKey the fate of a call for which no key resolves
	 * @param storeFailure the fate of a call that the store fails to decide
	 * @param prefetch permits that an instance may prefetch for a busy key, to spend them
	 * without a round trip
	 * @param hidden whether clients are told neither the policy's name nor its limits
	 * @param enforced the keys for which limits deny calls
	 */
	public PolicyOptions {
		requireWait(maxWait);
		if (maxWaiting < 0) {
			throw new IllegalArgumentException("the most threads that wait are at least 0, was " + maxWaiting);
		}
		if (prefetch < 0) {
			throw new IllegalArgumentException("a prefetch is at least 0 permits, was " + prefetch);
		}
	}

	/**
	 * A bound on the cost of a call.
	 *
	 * @param permits the most that a call costs, at least 1
	 * @param clamps whether a higher cost is charged as this one; otherwise the call is
	 * refused with an {@link UnsatisfiableCostException}
	 */
	public record MaxCost(long permits, boolean clamps) {

		/**
		 * Checks the components.
		 * @param permits the most that a call costs, at least 1
		 * @param clamps whether a higher cost is charged as this one
		 */
		public MaxCost {
			if (permits < 1) {
				throw new IllegalArgumentException("a maximum cost must be at least 1, was " + permits);
			}
		}

	}

	/**
	 * A counter shared with another policy, which has the same limits.
	 *
	 * @param policy the name of the policy whose counts are charged
	 * @param reserve the part of each limit's burst that must be left when a call is
	 * admitted, in percent from 0 to 99
	 */
	public record SharedCounter(String policy, int reserve) {

		/**
		 * Checks the components.
		 * @param policy the name of the policy whose counts are charged
		 * @param reserve the part of each limit's burst that must be left when a call is
		 * admitted, in percent from 0 to 99
		 */
		public SharedCounter {
			if (reserve < 0 || reserve > 99) {
				throw new IllegalArgumentException("a reserve is 0 to 99 percent, was " + reserve);
			}
		}

	}

	/**
	 * The fate of a call that the store fails to decide.
	 *
	 * @param mode what the policy does
	 * @param localShare the part of each limit that this instance admits on its own with
	 * {@link OnStoreFailure#LOCAL}
	 */
	public record StoreFailure(OnStoreFailure mode, LocalShare localShare) {

	}

	/**
	 * Returns these options with another maximum wait.
	 * @param maxWait how long a call may wait
	 * @return the options
	 */
	public PolicyOptions withMaxWait(Duration maxWait) {
		return new PolicyOptions(maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options with another bound on the threads that wait.
	 * @param maxWaiting the most threads of this instance that wait at once; 0 lets calls
	 * wait only without a thread
	 * @return the options
	 */
	public PolicyOptions withMaxWaiting(int maxWaiting) {
		return new PolicyOptions(this.maxWait, maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options with a bound on the cost of a call.
	 * @param maxCost the bound
	 * @return the options
	 */
	public PolicyOptions withMaxCost(MaxCost maxCost) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options with the counts of another policy, which has the same limits.
	 * @param policy the name of the policy whose counts are charged
	 * @param reserve the part of each burst that must be left, in percent
	 * @return the options
	 */
	public PolicyOptions sharing(String policy, int reserve) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, new SharedCounter(policy, reserve),
				this.onMissingKey, this.storeFailure, this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options for calls without a key.
	 * @param onMissingKey the fate of a call for which no key resolves
	 * @return the options
	 */
	public PolicyOptions withMissingKey(OnMissingKey onMissingKey) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, onMissingKey,
				this.storeFailure, this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options for calls that the store fails to decide.
	 * @param mode what the policy does
	 * @param localShare the part of each limit that this instance admits on its own, in
	 * percent from 1 to 100
	 * @return the options
	 */
	public PolicyOptions withStoreFailure(OnStoreFailure mode, int localShare) {
		return withStoreFailure(mode, LocalShare.ofPercent(localShare));
	}

	/**
	 * Returns these options for calls that the store fails to decide.
	 * @param mode what the policy does
	 * @param localShare the part of each limit that this instance admits on its own
	 * @return the options
	 */
	public PolicyOptions withStoreFailure(OnStoreFailure mode, LocalShare localShare) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				new StoreFailure(mode, localShare), this.prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options with permits that are prefetched.
	 * @param prefetch how many, at least 0
	 * @return the options
	 */
	public PolicyOptions withPrefetch(long prefetch) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, prefetch, this.hidden, this.enforced);
	}

	/**
	 * Returns these options for a policy that clients are told of or not.
	 * @param hidden whether clients are told neither the policy's name nor its limits
	 * @return the options
	 */
	public PolicyOptions withHidden(boolean hidden) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, this.prefetch, hidden, this.enforced);
	}

	/**
	 * Returns these options for limits that are enforced for a share of the keys.
	 * @param enforced the keys for which limits deny calls
	 * @return the options
	 */
	public PolicyOptions withEnforced(EnforcedShare enforced) {
		return new PolicyOptions(this.maxWait, this.maxWaiting, this.maxCost, this.sharedCounter, this.onMissingKey,
				this.storeFailure, this.prefetch, this.hidden, enforced);
	}

	/**
	 * Returns what the policy does when the store fails to decide.
	 * @return the mode of {@link #storeFailure()}
	 */
	public OnStoreFailure onStoreFailure() {
		return this.storeFailure.mode();
	}

	/**
	 * Returns the part of each limit that this instance admits on its own.
	 * @return the share of {@link #storeFailure()}
	 */
	public LocalShare localShare() {
		return this.storeFailure.localShare();
	}

	/**
	 * Returns the part of each limit's burst that must be left when a call is admitted.
	 * @return a percentage; 0 without a {@link #sharedCounter()}
	 */
	public int reserve() {
		return (this.sharedCounter != null) ? this.sharedCounter.reserve() : 0;
	}

	/**
	 * Checks a maximum wait.
	 * @param maxWait how long a call may wait
	 * @throws IllegalArgumentException if it is negative or above 366 days
	 */
	public static void requireWait(Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
			throw new IllegalArgumentException("a maximum wait is at least 0 and at most 366d, was " + maxWait);
		}
	}

}
