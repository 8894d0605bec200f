package io.github.ratelimit.store.shared;

/**
 * A handler of the outcome of a run, which is notified once.
 *
 * @param <R> the type of the reply
 * @param <T> the type of the result
 */
public interface ReplyHandler<R, T> {

	/**
	 * Returns the result of a reply.
	 * @param reply the reply of the store
	 * @return what the run results in
	 */
	T onReply(R reply);

	/**
	 * Returns the exception of a run that failed.
	 * @param failure the failure
	 * @return what the run fails with
	 */
	RuntimeException onFailure(Throwable failure);

	/** Is notified of a reply that arrives after the failure, such as a timeout. */
	default void onLateReply() {
	}

	/**
	 * Is notified, before the run is sent, that it probes a server that has been failing.
	 * Other requests must not wait for it.
	 * @param open the exception for these
	 */
	default void onProbe(RuntimeException open) {
	}

}
