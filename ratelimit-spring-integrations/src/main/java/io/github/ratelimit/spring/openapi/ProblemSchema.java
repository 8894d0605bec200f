package io.github.ratelimit.spring.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;

/**
 * The schema of the problem details (RFC 9457) in responses to rejected requests.
 */
final class ProblemSchema {

	private static final String NAME = "RateLimitProblem";

	private ProblemSchema() {
	}

	/** Returns a response with problem details, whose schema is among the components. */
	static ApiResponse response(String description, Components components) {
		if (components.getSchemas() == null || !components.getSchemas().containsKey(NAME)) {
			components.addSchemas(NAME, schema());
		}
		Schema<?> reference = new Schema<>().$ref(Components.COMPONENTS_SCHEMAS_REF + NAME);
		return new ApiResponse().description(description)
			.content(new Content().addMediaType(org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE,
					new MediaType().schema(reference)));
	}

	private static Schema<?> schema() {
		return new ObjectSchema().description("Problem details (RFC 9457) of a rejected request")
			.addProperty("type", new StringSchema().format("uri"))
			.addProperty("title", new StringSchema())
			.addProperty("status", new IntegerSchema())
			.addProperty("detail", new StringSchema())
			.addProperty("instance", new StringSchema().format("uri"))
			.addProperty("violated-policies",
					new ArraySchema().items(new StringSchema()).description("Limits that had no room"));
	}

}
