package io.github.ratelimit.spring.graphql;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import graphql.GraphQLContext;
import graphql.GraphQLException;
import graphql.analysis.FieldComplexityCalculator;
import graphql.analysis.FieldComplexityEnvironment;
import graphql.execution.ValuesResolver;
import graphql.introspection.Introspection;
import graphql.language.Field;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import org.jspecify.annotations.Nullable;

/**
 * The complexity of the fields of an operation as it would be executed: a fragment counts
 * at each place that uses it. GraphQL Java's own calculator counts it once, so that a
 * short document could select millions of fields for a few permits.
 */
final class Complexity {

	private final ValidOperation operation;

	private final GraphQLSchema schema;

	private final ObjectTypes types;

	private final Map<SelectedField, FieldComplexityEnvironment> environments = new HashMap<>();

	/** The values of arguments, as a fragment has the same ones at each place. */
	private final Map<DeclaredField, Map<String, Object>> arguments = new HashMap<>();

	private Complexity(ValidOperation operation, GraphQLSchema schema) {
		this.operation = operation;
		this.schema = schema;
		this.types = new ObjectTypes(schema);
	}

	/**
	 * Returns the complexity of an operation, the largest if it has too many selections.
	 * It is not 0, as reading the operation has cost something. If it is negative, the
	 * calculator's numbers overflowed.
	 */
	static int of(ValidOperation operation, GraphQLSchema schema, FieldComplexityCalculator calculator) {
		Complexity complexity = new Complexity(operation, schema);
		List<SelectedField> fields = new FieldWalk(operation, schema, complexity.types).fields();
		int sum = (fields != null) ? complexity.of(fields, calculator) : Integer.MAX_VALUE;
		return (sum != 0) ? sum : 1;
	}

	/** Counts each field after those that are selected from it. */
	private int of(List<SelectedField> fields, FieldComplexityCalculator calculator) {
		fields.forEach((field) -> this.environments.put(field, environment(field)));
		Map<@Nullable SelectedField, Long> ofChildren = new HashMap<>();
		for (int last = fields.size() - 1; last >= 0; last--) {
			SelectedField field = fields.get(last);
			long complexity = calculator.calculate(Objects.requireNonNull(this.environments.get(field)),
					clamped(ofChildren.get(field)));
			ofChildren.merge(field.parent(), complexity, Long::sum);
		}
		return clamped(ofChildren.get(null));
	}

	private static int clamped(@Nullable Long sum) {
		return (sum != null) ? (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, sum)) : 0;
	}

	private FieldComplexityEnvironment environment(SelectedField field) {
		GraphQLObjectType type = this.types.first(field.objects());
		GraphQLFieldDefinition definition = Introspection.getFieldDef(this.schema, type, field.selection().getName());
		return new FieldComplexityEnvironment(field.selection(), definition, type,
				this.arguments.computeIfAbsent(new DeclaredField(field.selection(), definition), this::arguments),
				this.environments.get(field.parent()));
	}

	/** Returns no arguments if one is invalid, as such a field is not fetched. */
	private Map<String, Object> arguments(DeclaredField field) {
		try {
			return ValuesResolver.getArgumentValues(field.definition().getArguments(), field.selection().getArguments(),
					this.operation.variables(), GraphQLContext.getDefault(), Locale.getDefault());
		}
		catch (GraphQLException ex) {
			return Collections.emptyMap();
		}
	}

	/** A selection of a field, with the definition that it has at a place. */
	private record DeclaredField(Field selection, GraphQLFieldDefinition definition) {

	}

}
