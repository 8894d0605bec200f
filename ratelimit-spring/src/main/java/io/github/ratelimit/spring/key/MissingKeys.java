package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.Policy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports of calls without a key. The listener is notified of each; the log gets the
 * first that shares a count, for each policy and place. Thread-safe.
 */
final class MissingKeys {

	private static final Log logger = LogFactory.getLog(MissingKeys.class);

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private final Consumer<String> listener;

	/**
	 * Creates reports.
	 * @param listener called with the name of the policy
	 */
	MissingKeys(Consumer<String> listener) {
		this.listener = listener;
	}

	/** Returns a reporter of calls of a policy at a place. */
	Consumer<CallContext> at(String place, Policy policy, List<String> words) {
		AtomicBoolean isLogged = new AtomicBoolean(policy.options().onMissingKey() != OnMissingKey.SHARED);
		return (call) -> {
			this.listener.accept(policy.name());
			if (!isLogged.get() && isLogged.compareAndSet(false, true)
					&& this.logged.add(policy.name() + ' ' + place)) {
				logger.warn("Policy '" + policy.name() + "' does not know the caller " + at(place, call)
						+ ": no key of " + words + " is there, and all such calls share one count. Set the policy's "
						+ "'on-missing-key' to 'deny' or 'skip', or a 'key' that is there. Not logged again here");
			}
		};
	}

	private static String at(String place, CallContext call) {
		return "of " + place + (call.caller().equals(Caller.NONE) ? ", outside a request" : "");
	}

}
