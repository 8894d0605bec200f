package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The checks of controls that are about to be set, which get their keys as calls have
 * them. For one thread at a time.
 */
final class ControlChecks {

	private static final Log logger = LogFactory.getLog(ControlChecks.class);

	private final KnownControls known;

	private final ControlEffects effects;

	private final OperatorKeys keys;

	private final RateLimiter limiter;

	ControlChecks(KnownControls known, ControlEffects effects, OperatorKeys keys, RateLimiter limiter) {
		this.known = known;
		this.effects = effects;
		this.keys = keys;
		this.limiter = limiter;
	}

	/**
	 * Returns a control as it is to be stored. A reset is carried out, with what a
	 * penalty has counted, and keeps no more than the digest of its key.
	 * @throws IllegalArgumentException if the control is invalid
	 */
	ActiveControl active(Control control, ControlTime time, Origin origin) {
		ActiveControl active = unchecked(canonical(control), time, origin);
		this.known.check(active);
		return (active.control() instanceof Reset reset) ? unchecked(reset(reset), time, origin) : active;
	}

	/** Returns a control that is set now. */
	ActiveControl unchecked(Control control, ControlTime time, Origin origin) {
		Instant now = this.known.now();
		Instant begin = time.begin(now);
		return new ActiveControl(control, origin, now, time.from(), time.end(begin));
	}

	/**
	 * Returns the same control, unless its key has words. Keys of upstreams have none.
	 */
	private Control canonical(Control control) {
		return (control instanceof Control.OfKey ofKey && !(control instanceof Pause))
				? ofKey.withKey(this.keys.of(this.effects.policy(ofKey.policy()), ofKey.key())) : control;
	}

	/** Returns the digest of a key or caller, or {@code null} if there is none. */
	@Nullable String digest(Control control) {
		try {
			String subject = canonical(control).subject();
			return (subject != null) ? KeyDigest.inPlaceOf(subject) : null;
		}
		catch (IllegalArgumentException ex) {
			logger.trace("A policy has no such key", ex);
			return null;
		}
	}

	private Control reset(Reset reset) {
		this.limiter.reset(reset.policy(), reset.key());
		this.effects.pardon(reset.policy(), reset.key());
		return reset.withKey(KeyDigest.inPlaceOf(reset.key()));
	}

	/** Returns the policies that have a key, and the key as calls have it. */
	Map<String, String> policiesOf(String text) {
		Map<String, String> keys = new TreeMap<>();
		this.effects.policies().forEach((policy) -> {
			try {
				keys.put(policy.name(), this.keys.of(policy, text));
			}
			catch (IllegalArgumentException ex) {
				logger.trace("A policy has no such key", ex);
			}
		});
		return keys;
	}

}
