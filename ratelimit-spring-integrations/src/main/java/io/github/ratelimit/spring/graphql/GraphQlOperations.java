package io.github.ratelimit.spring.graphql;

import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import graphql.ExecutionInput;
import graphql.GraphQLException;
import graphql.ParseAndValidate;
import graphql.ParseAndValidateResult;
import graphql.analysis.FieldComplexityCalculator;
import graphql.execution.CoercedVariables;
import graphql.execution.ValuesResolver;
import graphql.language.Document;
import graphql.language.NodeUtil;
import graphql.language.OperationDefinition;
import graphql.schema.GraphQLSchema;
import graphql.validation.rules.NoFragmentCycles;

import org.springframework.graphql.server.WebGraphQlRequest;

/**
 * A reader of operations before they are executed. Operations that GraphQL Java will
 * refuse to execute have a complexity of 1.
 */
public final class GraphQlOperations {

	private static final GraphQlOperation INVALID = new GraphQlOperation(null, "", 1, Set.of());

	private final Supplier<GraphQLSchema> schema;

	private final FieldComplexityCalculator fields;

	/**
	 * Creates a reader.
	 * @param schema supplies the schema of the application
	 * @param fields counts the complexity of fields
	 */
	public GraphQlOperations(Supplier<GraphQLSchema> schema, FieldComplexityCalculator fields) {
		this.schema = schema;
		this.fields = fields;
	}

	/** Returns the operation of a request. */
	GraphQlOperation of(WebGraphQlRequest request) {
		ExecutionInput input = request.toExecutionInput();
		ParseAndValidateResult parsed = ParseAndValidate.parse(input);
		return (parsed.isFailure() || !isValid(parsed.getDocument(), input)) ? INVALID
				: of(parsed.getDocument(), input);
	}

	/**
	 * Returns whether a document is valid but for fragments that spread themselves, which
	 * {@link FieldWalk} finds: GraphQL Java takes half a minute to look for them in a
	 * thousand fragments.
	 */
	private boolean isValid(Document document, ExecutionInput input) {
		return ParseAndValidate
			.validate(this.schema.get(), document, (rule) -> rule != NoFragmentCycles.class, input.getLocale())
			.isEmpty();
	}

	private GraphQlOperation of(Document document, ExecutionInput input) {
		NodeUtil.GetOperationResult found;
		CoercedVariables variables;
		try {
			found = NodeUtil.getOperation(document, input.getOperationName());
			variables = ValuesResolver.coerceVariableValues(this.schema.get(),
					found.operationDefinition.getVariableDefinitions(), input.getRawVariables(),
					input.getGraphQLContext(), input.getLocale());
		}
		catch (GraphQLException ex) {
			return INVALID;
		}
		ValidOperation operation = new ValidOperation(found.operationDefinition, found.fragmentsByName, variables);
		OperationDefinition definition = operation.definition();
		return new GraphQlOperation(definition.getName(), definition.getOperation().name().toLowerCase(Locale.ROOT),
				Complexity.of(operation, this.schema.get(), this.fields), RootFields.of(operation, this.schema.get()));
	}

}
