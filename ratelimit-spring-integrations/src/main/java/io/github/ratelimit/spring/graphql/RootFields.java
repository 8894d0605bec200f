package io.github.ratelimit.spring.graphql;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.schema.GraphQLSchema;
import org.jspecify.annotations.Nullable;

/**
 * A collector of the fields that an operation selects from the root of the schema, also
 * by fragments.
 */
final class RootFields {

	private static final String TYPE_NAME = "__typename";

	private final Map<String, FragmentDefinition> fragments;

	private final Set<String> seen = new HashSet<>();

	private final Set<String> names = new TreeSet<>();

	private RootFields(Map<String, FragmentDefinition> fragments) {
		this.fragments = fragments;
	}

	/** Returns the names of the fields, such as {@code Query.orders}, in order. */
	static Set<String> of(ValidOperation operation, GraphQLSchema schema) {
		RootFields fields = new RootFields(operation.fragments());
		fields.add(operation.root(schema).getName(), operation.definition().getSelectionSet());
		return fields.names;
	}

	/** Adds the fields of a fragment, which an invalid document may lack. */
	private void add(String type, @Nullable FragmentDefinition fragment) {
		if (fragment != null) {
			add(type, fragment.getSelectionSet());
		}
	}

	private void add(String type, SelectionSet selected) {
		for (Selection<?> selection : selected.getSelections()) {
			if (selection instanceof Field field && !field.getName().equals(TYPE_NAME)) {
				this.names.add(type + '.' + field.getName());
			}
			else if (selection instanceof InlineFragment fragment) {
				add(type, fragment.getSelectionSet());
			}
			else if (selection instanceof FragmentSpread spread && this.seen.add(spread.getName())) {
				add(type, this.fragments.get(spread.getName()));
			}
		}
	}

}
