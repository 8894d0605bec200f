package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.stream.Stream;

import io.github.ratelimit.spring.event.RateLimitApproached;
import io.github.ratelimit.spring.event.RateLimitDenied;
import io.github.ratelimit.spring.event.RateLimitShadowDenied;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * The check of events.
 */
public final class EventChecks {

	private EventChecks() {
	}

	/**
	 * Finds listeners of events that are not published.
	 * @param listeners the listeners of the application
	 * @return the findings
	 */
	public static Stream<Finding> disabled(Collection<ApplicationListener<?>> listeners) {
		return Stream.of(RateLimitDenied.class, RateLimitShadowDenied.class, RateLimitApproached.class)
			.filter((event) -> listeners.stream().anyMatch((listener) -> isOf(event, listener)))
			.map((event) -> new Finding(Kind.EVENTS_DISABLED, event.getSimpleName(),
					"There is a listener of " + event.getSimpleName()
							+ ", but these events are not published. Set 'ratelimit.events.enabled' to 'true'."));
	}

	private static boolean isOf(Class<?> event, ApplicationListener<?> listener) {
		return listener instanceof GenericApplicationListener generic && supports(generic, event)
				&& !supports(generic, Unrelated.class);
	}

	private static boolean supports(GenericApplicationListener listener, Class<?> payload) {
		return listener.supportsEventType(ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, payload));
	}

	/** An event that only listeners of all events receive. */
	private static final class Unrelated {

	}

}
