package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.Caller;

/**
 * A limited method that serves requests, as those see it that decide before it is called.
 */
public final class LimitedHandler {

	private final RateLimitedMethod limited;

	LimitedHandler(RateLimitedMethod limited) {
		this.limited = limited;
	}

	/**
	 * The method, by which the interceptor recognizes what was decided before.
	 * @return the method as its class declares it
	 */
	public Method method() {
		return this.limited.method();
	}

	/**
	 * Whether a call can be decided on only when it is made.
	 * @return whether a key or a cost depends on its arguments, or failures give permits
	 * back
	 */
	public boolean isDecidedAtCall() {
		return this.limited.isDecidedAtCall();
	}

	/**
	 * Whether a call may wait for its turn, and holds no thread meanwhile if it is
	 * decided on when it is made.
	 * @return whether it may wait, and answers later than the method returns
	 */
	public boolean waitsWithoutThread() {
		return this.limited.waitsWithoutThread();
	}

	/**
	 * What a call is charged that does not need its arguments for that.
	 * @param caller whose request the call serves
	 * @return the charges of all that limits the method
	 */
	public List<Charge> charges(Caller caller) {
		return this.limited.charges(caller);
	}

}
