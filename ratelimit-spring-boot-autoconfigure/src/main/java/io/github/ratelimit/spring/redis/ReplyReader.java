package io.github.ratelimit.spring.redis;

/**
 * What becomes of a run of a script: one of both, once.
 *
 * @param <T> what is read
 */
interface ReplyReader<T> {

	/** What Redis answered. */
	T read(byte[] reply);

	/** Why it did not, as whoever asked is told. */
	RuntimeException failed(Throwable failure);

}
