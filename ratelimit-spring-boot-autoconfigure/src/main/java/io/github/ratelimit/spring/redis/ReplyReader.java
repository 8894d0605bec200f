package io.github.ratelimit.spring.redis;

/**
 * What becomes of a run of a script: a reply or a failure, once.
 *
 * @param <T> what is read
 */
interface ReplyReader<T> {

	/** What Redis answered. */
	T read(byte[] reply);

	/** Why it did not, as whoever asked is told. */
	RuntimeException failed(Throwable failure);

	/** Redis answered after this was told that it did not. */
	default void readTooLate() {
	}

	/**
	 * The run finds out whether a server that has been failing answers again, so that
	 * other calls must not wait for it. Comes before the run is sent.
	 */
	default void probes() {
	}

}
