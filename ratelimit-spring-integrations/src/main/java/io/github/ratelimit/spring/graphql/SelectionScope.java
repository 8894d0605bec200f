package io.github.ratelimit.spring.graphql;

import java.util.BitSet;
import java.util.Iterator;

import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.schema.GraphQLCompositeType;

/**
 * Selections that are still to be visited.
 *
 * @param selections the selections
 * @param type the type that declares their fields
 * @param objects the types of the objects that they select from, not to be changed
 * @param spreads the number of spreads of fragments that led here
 */
@SuppressWarnings("rawtypes")
record SelectionScope(Iterator<Selection> selections, GraphQLCompositeType type, BitSet objects, int spreads) {

	SelectionScope(SelectionSet selected, GraphQLCompositeType type, BitSet objects, int spreads) {
		this(selected.getSelections().iterator(), type, objects, spreads);
	}

}
