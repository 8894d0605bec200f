package io.github.ratelimit.spring.graphql;

import java.util.Collection;

import graphql.execution.CoercedVariables;
import graphql.language.Document;
import graphql.normalized.ExecutableNormalizedField;
import graphql.normalized.ExecutableNormalizedOperationFactory;
import graphql.schema.GraphQLSchema;

/**
 * An oracle: the fields of the operation that GraphQL Java itself normalizes.
 */
final class NormalizedComplexity {

	private NormalizedComplexity() {
	}

	static int of(GraphQLSchema schema, Document document, CoercedVariables variables) {
		int fields = fields(ExecutableNormalizedOperationFactory
			.createExecutableNormalizedOperation(schema, document, null, variables)
			.getTopLevelFields());
		return Math.max(1, fields);
	}

	private static int fields(Collection<ExecutableNormalizedField> fields) {
		return fields.stream()
			.filter((field) -> !field.getFieldName().equals("__typename"))
			.mapToInt((field) -> 1 + fields(field.getChildren()))
			.sum();
	}

}
