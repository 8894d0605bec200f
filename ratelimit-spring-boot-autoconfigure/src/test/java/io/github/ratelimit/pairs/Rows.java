package io.github.ratelimit.pairs;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.pairs.Row.Door;
import io.github.ratelimit.pairs.Row.Event;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.pairs.Row.Kind;
import io.github.ratelimit.pairs.Row.Outcome;
import io.github.ratelimit.pairs.Row.Returns;
import io.github.ratelimit.pairs.Row.Stack;
import io.github.ratelimit.pairs.Row.Store;

/**
 * The rows of a covering array: each combination of values is in one of them. Rows are
 * the same in each run. Each begins with a combination that no row has yet; each of its
 * other values is the one that adds most combinations.
 */
final class Rows {

	private static final List<Class<?>> TYPES = Arrays.stream(Row.class.getRecordComponents())
		.<Class<?>>map(RecordComponent::getType)
		.toList();

	private final int size;

	private final Set<Set<Enum<?>>> missing = new LinkedHashSet<>();

	private Rows(int size) {
		this.size = size;
		rows(Set.of(), TYPES, 2).forEach(this.missing::add);
		rows(Set.of(), TYPES.subList(TYPES.size() - 5, TYPES.size()), size).forEach(this.missing::add);
	}

	/**
	 * Returns rows with all pairs of values.
	 * @param size the size of the combinations of the last five features, at least 2
	 */
	static List<Row> covering(int size) {
		Rows rows = new Rows(size);
		List<Row> covering = new ArrayList<>();
		while (!rows.missing.isEmpty()) {
			covering.add(rows.next());
		}
		return covering;
	}

	private Row next() {
		Set<Enum<?>> row = new LinkedHashSet<>(this.missing.iterator().next());
		for (Class<?> type : TYPES) {
			if (row.stream().noneMatch(type::isInstance)) {
				row.add(values(type).filter((value) -> isPossible(with(row, value)))
					.max(Comparator.comparingLong((value) -> added(with(row, value))))
					.orElseThrow());
			}
		}
		combinations(row).forEach(this.missing::remove);
		return new Row(value(row, Stack.class), value(row, Store.class), value(row, Door.class),
				value(row, Returns.class), value(row, Kind.class), value(row, Feature.class), value(row, Outcome.class),
				value(row, Event.class));
	}

	private long added(Set<Enum<?>> row) {
		return combinations(row).filter(this.missing::contains).count();
	}

	private Stream<Set<Enum<?>>> combinations(Set<Enum<?>> row) {
		Stream<Set<Enum<?>>> pairs = subsets(Set.of(), List.copyOf(row), 2);
		return (this.size == 2) ? pairs : Stream.concat(pairs, subsets(Set.of(), List.copyOf(row), this.size));
	}

	/** Returns all possible combinations of values of so many types. */
	private static Stream<Set<Enum<?>>> rows(Set<Enum<?>> begin, List<Class<?>> types, int size) {
		if (size == 0) {
			return Stream.of(begin).filter(Rows::isPossible);
		}
		return indices(types.size()).flatMap((index) -> values(types.get(index))
			.flatMap((value) -> rows(with(begin, value), types.subList(index + 1, types.size()), size - 1)));
	}

	private static Stream<Set<Enum<?>>> subsets(Set<Enum<?>> begin, List<Enum<?>> values, int size) {
		if (size == 0) {
			return Stream.of(begin);
		}
		return indices(values.size()).flatMap(
				(index) -> subsets(with(begin, values.get(index)), values.subList(index + 1, values.size()), size - 1));
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

	private static Set<Enum<?>> with(Set<Enum<?>> values, Enum<?> value) {
		Set<Enum<?>> added = new LinkedHashSet<>(values);
		added.add(value);
		return added;
	}

	private static Stream<Integer> indices(int size) {
		return Stream.iterate(0, (index) -> index + 1).limit(size);
	}

	private static Stream<Enum<?>> values(Class<?> type) {
		return Arrays.stream(type.getEnumConstants()).map((value) -> (Enum<?>) value);
	}

	private static <E extends Enum<E>> E value(Set<Enum<?>> row, Class<E> type) {
		return row.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
	}

}
