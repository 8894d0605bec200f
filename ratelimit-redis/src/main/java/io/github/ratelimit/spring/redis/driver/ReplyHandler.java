package io.github.ratelimit.spring.redis.driver;

/**
 * A handler of the outcome of a script run, which is notified once.
 *
 * @param <T> the type of the result
 */
public interface ReplyHandler<T> {

	/** Returns the result of a reply. */
	T onReply(byte[] reply);

	/** Returns the exception of a run that failed. */
	RuntimeException onFailure(Throwable failure);

	/** Is notified of a reply that arrives after the failure, such as a timeout. */
	default void onLateReply() {
	}

	/**
	 * Is notified, before the run is sent, that it probes a server that has been failing.
	 * Other requests must not wait for it.
	 */
	default void onProbe() {
	}

}
