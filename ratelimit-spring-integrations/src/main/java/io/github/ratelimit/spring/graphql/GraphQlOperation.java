package io.github.ratelimit.spring.graphql;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * An operation as expressions read it.
 */
public final class GraphQlOperation {

	private final @Nullable String name;

	private final String type;

	private final long complexity;

	private final Set<String> rootFields;

	GraphQlOperation(@Nullable String name, String type, long complexity, Set<String> rootFields) {
		this.name = name;
		this.type = type;
		this.complexity = complexity;
		this.rootFields = rootFields;
	}

	/**
	 * Returns the fields of the schema's root that it selects, such as
	 * {@code Query.orders}; none for an invalid document.
	 */
	Set<String> rootFields() {
		return this.rootFields;
	}

	/**
	 * Returns the name that the client gave the operation.
	 * @return the name, or {@code null} if it has none
	 */
	public @Nullable String getName() {
		return this.name;
	}

	/**
	 * Returns the type.
	 * @return query, mutation or subscription; empty for an invalid document
	 */
	public String getType() {
		return this.type;
	}

	/**
	 * Returns the complexity of the fields that the operation selects.
	 * @return the number of fields, unless a
	 * {@link graphql.analysis.FieldComplexityCalculator} bean counts otherwise; 1 for an
	 * invalid document
	 */
	public long getComplexity() {
		return this.complexity;
	}

}
