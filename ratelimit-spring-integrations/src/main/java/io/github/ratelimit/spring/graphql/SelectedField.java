package io.github.ratelimit.spring.graphql;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import graphql.language.Field;
import org.jspecify.annotations.Nullable;

/**
 * A field at one place of an operation, with all selections that are merged into it when
 * it is executed.
 */
final class SelectedField {

	private final @Nullable SelectedField parent;

	private final Field selection;

	private final BitSet objects;

	private final List<SelectionScope> children = new ArrayList<>(1);

	/**
	 * Creates a field.
	 * @param parent the field from which it is selected, {@code null} at the root
	 * @param selection its first selection
	 * @param objects the types of the objects that it is selected from
	 */
	SelectedField(@Nullable SelectedField parent, Field selection, BitSet objects) {
		this.parent = parent;
		this.selection = selection;
		this.objects = (BitSet) objects.clone();
	}

	/** Returns the field from which it is selected, {@code null} at the root. */
	@Nullable SelectedField parent() {
		return this.parent;
	}

	/** Returns the first selection. */
	Field selection() {
		return this.selection;
	}

	/** Returns the types of the objects that it is selected from. */
	BitSet objects() {
		return this.objects;
	}

	/** Returns what is selected from the field, which may be added to. */
	List<SelectionScope> children() {
		return this.children;
	}

	/** Adds the selections of the same field. */
	void merge(SelectedField same) {
		this.objects.or(same.objects);
		this.children.addAll(same.children);
	}

}
