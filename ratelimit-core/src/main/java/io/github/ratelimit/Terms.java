package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a policy applies its limits. Immutable.
 *
 * @param maxWait how long a call may wait in line for its permits, at most 366 days; zero
 * denies at once what does not fit
 * @param maxWaiting the most threads of this instance that wait at once, at least 0; a
 * call beyond them is denied at once, while calls that wait without a thread are not
 * counted
 * @param maxCost what the policy does about a high cost; {@code null} for nothing
 * @param bucket the name of the policy whose counts are charged; {@code null} for the
 * policy's own
 * @param reserve the part of each limit's burst that must be left when a call is
 * admitted, in percent from 0 to 99
 * @param onMissingKey what becomes of a call for which no key answers
 * @param onStoreFailure what becomes of a call that the store fails to decide
 * @param localShare the part of each limit by which this instance then decides on its
 * own, in percent from 1 to 100, rounded up to whole permits
 * @param lease permits that an instance may take in advance for a key that is busy, to
 * spend them without asking the store; 0 for none
 */
public record Terms(Duration maxWait, int maxWaiting, @Nullable MaxCost maxCost, @Nullable String bucket, int reserve,
		MissingKey onMissingKey, OnStoreFailure onStoreFailure, int localShare, long lease) {

	private static final Duration LONGEST_WAIT = Duration.ofDays(366);

	/**
	 * Calls do not wait (and would do so on at most 64 threads), cost what they cost, may
	 * spend everything, share a count where they have no key, are allowed where the store
	 * fails, and take nothing in advance.
	 */
	public static final Terms STANDARD = new Terms(Duration.ZERO, 64, null, null, 0, MissingKey.SHARED,
			OnStoreFailure.ALLOW, 100, 0);

	public Terms {
		requireWait(maxWait);
		if (maxWaiting < 0) {
			throw new IllegalArgumentException("the most threads that wait are at least 0, was " + maxWaiting);
		}
		if (reserve < 0 || reserve > 99) {
			throw new IllegalArgumentException("a reserve is 0 to 99 percent, was " + reserve);
		}
		if (localShare < 1 || localShare > 100) {
			throw new IllegalArgumentException("a local share is 1 to 100 percent, was " + localShare);
		}
		if (lease < 0) {
			throw new IllegalArgumentException("a lease is at least 0 permits, was " + lease);
		}
	}

	/**
	 * What is done about a call that costs more than a policy wants.
	 *
	 * @param permits the most that a call costs, at least 1
	 * @param clamps whether a higher cost is charged as this one; otherwise the call is
	 * refused with an {@link UnsatisfiableCostException}
	 */
	public record MaxCost(long permits, boolean clamps) {

		public MaxCost {
			if (permits < 1) {
				throw new IllegalArgumentException("a maximum cost must be at least 1, was " + permits);
			}
		}

	}

	/**
	 * These terms with another maximum wait.
	 * @param maxWait how long a call may wait
	 * @return the terms
	 */
	public Terms withMaxWait(Duration maxWait) {
		return new Terms(maxWait, this.maxWaiting, this.maxCost, this.bucket, this.reserve, this.onMissingKey,
				this.onStoreFailure, this.localShare, this.lease);
	}

	/**
	 * These terms with another bound on the threads that wait.
	 * @param maxWaiting the most threads of this instance that wait at once; 0 lets calls
	 * wait only where they hold no thread
	 * @return the terms
	 */
	public Terms withMaxWaiting(int maxWaiting) {
		return new Terms(this.maxWait, maxWaiting, this.maxCost, this.bucket, this.reserve, this.onMissingKey,
				this.onStoreFailure, this.localShare, this.lease);
	}

	/**
	 * These terms with another maximum cost.
	 * @param maxCost what is done about a high cost
	 * @return the terms
	 */
	public Terms withMaxCost(MaxCost maxCost) {
		return new Terms(this.maxWait, this.maxWaiting, maxCost, this.bucket, this.reserve, this.onMissingKey,
				this.onStoreFailure, this.localShare, this.lease);
	}

	/**
	 * These terms on the counts of another policy, which has the same limits.
	 * @param bucket the name of the policy whose counts are charged
	 * @param reserve the part of each burst that must be left, in percent
	 * @return the terms
	 */
	public Terms sharing(String bucket, int reserve) {
		return new Terms(this.maxWait, this.maxWaiting, this.maxCost, bucket, reserve, this.onMissingKey,
				this.onStoreFailure, this.localShare, this.lease);
	}

	/**
	 * These terms for calls without a key.
	 * @param onMissingKey what becomes of a call for which no key answers
	 * @return the terms
	 */
	public Terms withMissingKey(MissingKey onMissingKey) {
		return new Terms(this.maxWait, this.maxWaiting, this.maxCost, this.bucket, this.reserve, onMissingKey,
				this.onStoreFailure, this.localShare, this.lease);
	}

	/**
	 * These terms for when the store fails.
	 * @param onStoreFailure what becomes of a call that the store fails to decide
	 * @param localShare the part of each limit that this instance admits on its own, in
	 * percent from 1 to 100
	 * @return the terms
	 */
	public Terms withStoreFailure(OnStoreFailure onStoreFailure, int localShare) {
		return new Terms(this.maxWait, this.maxWaiting, this.maxCost, this.bucket, this.reserve, this.onMissingKey,
				onStoreFailure, localShare, this.lease);
	}

	/**
	 * These terms with permits that are taken in advance.
	 * @param lease how many, at least 0
	 * @return the terms
	 */
	public Terms withLease(long lease) {
		return new Terms(this.maxWait, this.maxWaiting, this.maxCost, this.bucket, this.reserve, this.onMissingKey,
				this.onStoreFailure, this.localShare, lease);
	}

	static void requireWait(Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
			throw new IllegalArgumentException("a maximum wait is at least 0 and at most 366d, was " + maxWait);
		}
	}

}
