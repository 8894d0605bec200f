package io.github.ratelimit.spring.redis.roundtrip;

/** The origin of a batch, which is notified when its run has ended. */
interface Batching {

	DenialCache denials();

	PrefetchCache prefetches();

	/** Returns whether requests are queued. */
	boolean hasQueued();

	/**
	 * Starts the next run if requests are queued.
	 * @param requests the requests of the run that has ended
	 */
	void runEnded(int requests);

	/** Fails the queued requests, as the server has been failing. */
	void failQueued();

}
