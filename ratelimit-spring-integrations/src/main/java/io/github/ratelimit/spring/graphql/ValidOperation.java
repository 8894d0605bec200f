package io.github.ratelimit.spring.graphql;

import java.util.Map;

import graphql.execution.CoercedVariables;
import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;

/**
 * An operation of a valid document.
 *
 * @param definition the operation
 * @param fragments the fragments of the document by their names
 * @param variables the values of its variables
 */
record ValidOperation(OperationDefinition definition, Map<String, FragmentDefinition> fragments,
		CoercedVariables variables) {

	/** Returns the type of the root that it selects from. */
	GraphQLObjectType root(GraphQLSchema schema) {
		return switch (this.definition.getOperation()) {
			case QUERY -> schema.getQueryType();
			case MUTATION -> schema.getMutationType();
			case SUBSCRIPTION -> schema.getSubscriptionType();
		};
	}

}
