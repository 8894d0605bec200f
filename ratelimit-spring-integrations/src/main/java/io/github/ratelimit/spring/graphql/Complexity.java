package io.github.ratelimit.spring.graphql;

import graphql.analysis.FieldComplexityCalculator;
import graphql.analysis.FieldComplexityEnvironment;
import graphql.execution.AbortExecutionException;
import graphql.execution.CoercedVariables;
import graphql.language.Document;
import graphql.normalized.ExecutableNormalizedField;
import graphql.normalized.ExecutableNormalizedOperation;
import graphql.normalized.ExecutableNormalizedOperationFactory;
import graphql.normalized.ExecutableNormalizedOperationFactory.Options;
import graphql.schema.GraphQLCompositeType;
import graphql.schema.GraphQLSchema;
import org.jspecify.annotations.Nullable;

/**
 * The complexity of the fields of an operation as it would be executed: a fragment counts
 * at each place that uses it. GraphQL Java's own calculator counts it once, so that a
 * short document could select millions of fields for a few permits.
 */
final class Complexity {

	/** The fields that are expanded before the operation pays. */
	private static final int MOST_FIELDS = 10_000;

	private static final String TYPE_NAME = "__typename";

	private final GraphQLSchema schema;

	private final FieldComplexityCalculator calculator;

	private final ExecutableNormalizedOperation operation;

	private Complexity(GraphQLSchema schema, FieldComplexityCalculator calculator,
			ExecutableNormalizedOperation operation) {
		this.schema = schema;
		this.calculator = calculator;
		this.operation = operation;
	}

	/**
	 * Returns the complexity of an operation, the largest if it has too many fields. It
	 * is not 0, as reading the operation has cost something. If it is negative, the
	 * calculator's numbers overflowed.
	 */
	static int of(Operation operation, GraphQLSchema schema, FieldComplexityCalculator calculator) {
		try {
			ExecutableNormalizedOperation expanded = ExecutableNormalizedOperationFactory
				.createExecutableNormalizedOperation(schema, operation.document(), operation.name(),
						operation.variables(), Options.defaultOptions().maxFieldsCount(MOST_FIELDS));
			int complexity = new Complexity(schema, calculator, expanded).of(expanded.getTopLevelFields(), null);
			return (complexity != 0) ? complexity : 1;
		}
		catch (AbortExecutionException ex) {
			return Integer.MAX_VALUE;
		}
	}

	private int of(Iterable<ExecutableNormalizedField> fields, @Nullable FieldComplexityEnvironment parent) {
		long sum = 0;
		for (ExecutableNormalizedField field : fields) {
			sum += TYPE_NAME.equals(field.getFieldName()) ? 0 : of(field, parent);
		}
		return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, sum));
	}

	private int of(ExecutableNormalizedField field, @Nullable FieldComplexityEnvironment parent) {
		String type = field.getObjectTypeNames().iterator().next();
		FieldComplexityEnvironment environment = new FieldComplexityEnvironment(
				this.operation.getMergedField(field).getSingleField(), field.getFieldDefinitions(this.schema).get(0),
				(GraphQLCompositeType) this.schema.getType(type), field.getResolvedArguments(), parent);
		return this.calculator.calculate(environment, of(field.getChildren(), environment));
	}

	/**
	 * An operation of a document that can be executed.
	 *
	 * @param document the document
	 * @param name the name of the operation, {@code null} if the document has one
	 * operation only
	 * @param variables the values of its variables
	 */
	record Operation(Document document, @Nullable String name, CoercedVariables variables) {

	}

}
