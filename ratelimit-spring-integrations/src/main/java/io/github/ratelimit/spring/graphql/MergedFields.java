package io.github.ratelimit.spring.graphql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields at one place of an operation. Those with one name in the response are the
 * same if an object may have both.
 */
final class MergedFields {

	private final Map<String, List<SelectedField>> byName = new LinkedHashMap<>();

	/** Adds a field, or its selections to the same field. */
	void add(SelectedField added) {
		List<SelectedField> named = this.byName.computeIfAbsent(added.selection().getResultKey(),
				(name) -> new ArrayList<>(1));
		List<SelectedField> same = named.stream()
			.filter((field) -> field.objects().intersects(added.objects()))
			.toList();
		if (same.isEmpty()) {
			named.add(added);
			return;
		}
		SelectedField first = same.get(0);
		first.merge(added);
		same.stream().skip(1).forEach(first::merge);
		named.removeAll(same.subList(1, same.size()));
	}

	/** Returns the fields in the order of the response. */
	List<SelectedField> all() {
		return this.byName.values().stream().flatMap(Collection::stream).toList();
	}

}
