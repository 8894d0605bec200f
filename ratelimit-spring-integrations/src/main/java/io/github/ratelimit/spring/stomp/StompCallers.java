package io.github.ratelimit.spring.stomp;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;

import org.springframework.core.Ordered;
import org.springframework.messaging.simp.SimpAttributes;
import org.springframework.messaging.simp.SimpAttributesContextHolder;

/**
 * A source of the callers whose messages threads handle. It reads the session that Spring
 * binds to the thread.
 */
public final class StompCallers implements CallerSource, Ordered {

	@Override
	public Caller current() {
		SimpAttributes session = SimpAttributesContextHolder.getAttributes();
		return (session != null && session.getAttribute(StompCaller.ATTRIBUTE) instanceof StompCaller caller) ? caller
				: Caller.NONE;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
