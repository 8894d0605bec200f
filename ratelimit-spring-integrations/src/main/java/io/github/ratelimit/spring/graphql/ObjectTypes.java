package io.github.ratelimit.spring.graphql;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import graphql.schema.GraphQLCompositeType;
import graphql.schema.GraphQLInterfaceType;
import graphql.schema.GraphQLNamedOutputType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLUnionType;

/**
 * The object types of a schema in sets, which intersect quickly however many there are.
 */
final class ObjectTypes {

	private final GraphQLSchema schema;

	private final List<GraphQLObjectType> all;

	private final Map<GraphQLNamedOutputType, Integer> places = new HashMap<>();

	private final Map<GraphQLCompositeType, BitSet> sets = new HashMap<>();

	ObjectTypes(GraphQLSchema schema) {
		this.schema = schema;
		this.all = schema.getAllTypesAsList()
			.stream()
			.filter(GraphQLObjectType.class::isInstance)
			.map(GraphQLObjectType.class::cast)
			.toList();
		this.all.forEach((type) -> this.places.put(type, this.places.size()));
	}

	/** Returns the types of objects that a value of a type can be, not to be changed. */
	BitSet of(GraphQLCompositeType type) {
		return this.sets.computeIfAbsent(type, (any) -> {
			BitSet set = new BitSet();
			possible(type).forEach((each) -> set.set(Objects.requireNonNull(this.places.get(each))));
			return set;
		});
	}

	private List<? extends GraphQLNamedOutputType> possible(GraphQLCompositeType type) {
		if (type instanceof GraphQLInterfaceType shared) {
			return this.schema.getImplementations(shared);
		}
		return (type instanceof GraphQLUnionType union) ? union.getTypes() : List.of((GraphQLObjectType) type);
	}

	/** Returns the first type of a set. */
	GraphQLObjectType first(BitSet set) {
		return this.all.get(set.nextSetBit(0));
	}

}
