package io.github.ratelimit.spring.charge;

import java.util.function.Consumer;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/**
 * A publisher that reports errors of the JVM, such as linkage errors. Reactor throws them
 * through the subscription instead of signalling them, so that no operator sees them. One
 * that is thrown on another thread, after the subscription, is not seen either.
 *
 * @param <T> the type of the items
 * @param source the publisher
 * @param thrown receives an error, which is then thrown on
 */
public record ThrownErrors<T>(Publisher<T> source, Consumer<Throwable> thrown) implements Publisher<T> {

	@Override
	public void subscribe(Subscriber<? super T> subscriber) {
		try {
			this.source.subscribe(subscriber);
		}
		catch (Throwable ex) {
			this.thrown.accept(ex);
			throw ex;
		}
	}

}
