package io.github.ratelimit.pairs;

import java.util.List;
import java.util.Set;

import io.github.ratelimit.CoveringArray;
import io.github.ratelimit.pairs.Row.Door;
import io.github.ratelimit.pairs.Row.Event;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.pairs.Row.Kind;
import io.github.ratelimit.pairs.Row.Outcome;
import io.github.ratelimit.pairs.Row.Returns;
import io.github.ratelimit.pairs.Row.Stack;
import io.github.ratelimit.pairs.Row.Store;

/**
 * The rows with all pairs of values that an application can have.
 */
final class Rows {

	private Rows() {
	}

	/**
	 * Returns rows with all pairs of values.
	 * @param size the size of the combinations of the last five features, at least 2
	 */
	static List<Row> covering(int size) {
		return CoveringArray.of(Row.class, Rows::isPossible, size);
	}

	/**
	 * Returns whether an application can have these values, and the documentation says
	 * what they do: until the next prefetch, responses do not count what was refunded.
	 */
	private static boolean isPossible(Set<Enum<?>> values) {
		boolean rule = values.stream().anyMatch((value) -> value instanceof Door door && door.isRule());
		boolean outcome = values.stream().anyMatch((value) -> value instanceof Outcome && value != Outcome.NONE);
		return values.stream()
			.allMatch((value) -> isServed(value, values.contains(Stack.REACTIVE)) && isDeclared(value, rule))
				&& !(values.contains(Event.WAITS) && values.stream().anyMatch(Rows::isNeverReturned))
				&& !(isBlocking(values) && (values.contains(Door.ARGUMENT) || (outcome && !rule)))
				&& !(outcome && values.containsAll(Set.of(Store.REDIS, Feature.PREFETCH)));
	}

	/**
	 * Returns whether a method that is limited when it is called would block an event
	 * loop. See "WebFlux" in the documentation.
	 */
	private static boolean isBlocking(Set<Enum<?>> values) {
		return values.containsAll(Set.of(Stack.REACTIVE, Store.REDIS, Returns.VALUE));
	}

	/**
	 * Returns whether calls of a row with this value wait for no permit that another call
	 * returns.
	 */
	private static boolean isNeverReturned(Enum<?> value) {
		return (value instanceof Kind && value != Kind.CONCURRENCY)
				|| (value instanceof Feature && value != Feature.MAX_WAIT);
	}

	private static boolean isServed(Enum<?> value, boolean reactive) {
		return !(value instanceof Returns returns && returns.isOfServlets() && reactive);
	}

	private static boolean isDeclared(Enum<?> value, boolean rule) {
		return !(value instanceof Outcome outcome && outcome.isOfAnnotations() && rule);
	}

}
