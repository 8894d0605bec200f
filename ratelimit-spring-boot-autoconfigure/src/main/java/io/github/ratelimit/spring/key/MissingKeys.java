package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.MissingKey;
import io.github.ratelimit.Policy;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports calls whose caller is not known: each to a listener, and the first that shares
 * a count for a policy at a place to the log. Thread-safe.
 */
final class MissingKeys {

	private static final Log logger = LogFactory.getLog(KeyResolvers.class);

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private final Consumer<String> listener;

	/**
	 * Creates a report.
	 * @param listener of the policies' names
	 */
	MissingKeys(Consumer<String> listener) {
		this.listener = listener;
	}

	/** Reports calls of a policy at a place, whose keys are these words. */
	Consumer<CallContext> at(String place, Policy policy, List<String> words) {
		AtomicBoolean isLogged = new AtomicBoolean(policy.terms().onMissingKey() != MissingKey.SHARED);
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
