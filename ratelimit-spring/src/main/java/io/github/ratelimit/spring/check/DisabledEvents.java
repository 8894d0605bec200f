package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * A check for listeners of events that are not published.
 *
 * @param listeners supplies the listeners of the application
 * @param event the type of the event
 */
public record DisabledEvents(Supplier<Collection<ApplicationListener<?>>> listeners,
		Class<?> event) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.listeners.get()
			.stream()
			.filter(GenericApplicationListener.class::isInstance)
			.map(GenericApplicationListener.class::cast)
			.filter((listener) -> supports(listener, this.event) && !supports(listener, Unrelated.class))
			.limit(1)
			.map((listener) -> new Finding(Kind.EVENTS_DISABLED, this.event.getSimpleName(),
					"There is a listener of " + this.event.getSimpleName()
							+ ", but these events are not published. Set 'ratelimit.events.enabled' " + "to 'true'."));
	}

	private static boolean supports(GenericApplicationListener listener, Class<?> payload) {
		return listener.supportsEventType(ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, payload));
	}

	/** An event that only listeners of all events receive. */
	private static final class Unrelated {

	}

}
