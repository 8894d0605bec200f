package io.github.ratelimit;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rows of a covering array: each combination of values is in one of them. Rows are
 * the same in each run. Each begins with a combination that no row has yet; each of its
 * other values is the one that adds most combinations.
 *
 * @param <R> the type of rows, a record of enums of different types
 */
public final class CoveringArray<R extends Record> {

	/** The number of the last types of which there are larger combinations. */
	private static final int LAST = 5;

	private final Constructor<R> rows;

	private final List<Class<?>> types;

	private final Predicate<Set<Enum<?>>> possible;

	private final int size;

	private final Set<Set<Enum<?>>> missing = new LinkedHashSet<>();

	private CoveringArray(Class<R> row, Predicate<Set<Enum<?>>> possible, int size) {
		this.types = Arrays.stream(row.getRecordComponents()).<Class<?>>map(RecordComponent::getType).toList();
		this.rows = constructor(row, this.types);
		this.possible = possible;
		this.size = size;
		int first = Math.max(0, this.types.size() - LAST);
		combined(Set.of(), this.types, 2).forEach(this.missing::add);
		combined(Set.of(), this.types.subList(first, this.types.size()), size).forEach(this.missing::add);
	}

	private static <R extends Record> Constructor<R> constructor(Class<R> row, List<Class<?>> types) {
		try {
			Constructor<R> constructor = row.getDeclaredConstructor(types.toArray(Class<?>[]::new));
			constructor.setAccessible(true);
			return constructor;
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns rows with all pairs of values.
	 * @param row the type of rows
	 * @param possible whether some values of different types can be in a row
	 */
	public static <R extends Record> List<R> pairs(Class<R> row, Predicate<Set<Enum<?>>> possible) {
		return of(row, possible, 2);
	}

	/**
	 * Returns rows with all pairs of values.
	 * @param row the type of rows
	 * @param possible whether some values of different types can be in a row
	 * @param size the size of the combinations of the last five types, at least 2
	 */
	public static <R extends Record> List<R> of(Class<R> row, Predicate<Set<Enum<?>>> possible, int size) {
		CoveringArray<R> array = new CoveringArray<>(row, possible, size);
		List<R> covering = new ArrayList<>();
		while (!array.missing.isEmpty()) {
			covering.add(array.next());
		}
		return covering;
	}

	private R next() {
		Set<Enum<?>> row = new LinkedHashSet<>(this.missing.iterator().next());
		for (Class<?> type : this.types) {
			if (row.stream().noneMatch(type::isInstance)) {
				row.add(values(type).filter((value) -> this.possible.test(with(row, value)))
					.max(Comparator.comparingLong((value) -> added(with(row, value))))
					.orElseThrow());
			}
		}
		combinations(row).forEach(this.missing::remove);
		return row(row);
	}

	private R row(Set<Enum<?>> values) {
		try {
			return this.rows.newInstance(this.types.stream()
				.map((type) -> values.stream().filter(type::isInstance).findFirst().orElseThrow())
				.toArray());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private long added(Set<Enum<?>> row) {
		return combinations(row).filter(this.missing::contains).count();
	}

	private Stream<Set<Enum<?>>> combinations(Set<Enum<?>> row) {
		Stream<Set<Enum<?>>> pairs = subsets(Set.of(), List.copyOf(row), 2);
		return (this.size == 2) ? pairs : Stream.concat(pairs, subsets(Set.of(), List.copyOf(row), this.size));
	}

	/** Returns all possible combinations of values of so many types. */
	private Stream<Set<Enum<?>>> combined(Set<Enum<?>> begin, List<Class<?>> types, int size) {
		if (size == 0) {
			return Stream.of(begin).filter(this.possible);
		}
		return indices(types.size()).flatMap((index) -> values(types.get(index))
			.flatMap((value) -> combined(with(begin, value), types.subList(index + 1, types.size()), size - 1)));
	}

	private static Stream<Set<Enum<?>>> subsets(Set<Enum<?>> begin, List<Enum<?>> values, int size) {
		if (size == 0) {
			return Stream.of(begin);
		}
		return indices(values.size()).flatMap(
				(index) -> subsets(with(begin, values.get(index)), values.subList(index + 1, values.size()), size - 1));
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

}
