package io.github.ratelimit.spring.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.spring.rejection.Rejection;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;

/**
 * The results of rejected calls. They report an error, as a text for the model and as
 * values for its client, and name no key.
 */
final class ToolRejections {

	private static final String TITLE = "title";

	private static final String RETRY_AFTER = "retryAfter";

	private static final String VIOLATED_POLICIES = "violatedPolicies";

	private ToolRejections() {
	}

	/** Returns the result of a call that failed, {@code null} if it was not rejected. */
	static @Nullable CallToolResult find(@Nullable Throwable failure) {
		Rejection rejection = (failure != null) ? Rejection.of(failure) : null;
		return (rejection != null) ? of(rejection) : null;
	}

	/** Returns the result of a rejected call. */
	static CallToolResult of(Rejection rejection) {
		return CallToolResult.builder()
			.isError(true)
			.addTextContent(text(rejection))
			.structuredContent(values(rejection))
			.build();
	}

	private static String text(Rejection rejection) {
		Long seconds = rejection.retryAfter();
		if (seconds == null) {
			return rejection.title() + ".";
		}
		return rejection.title() + ". Try again in " + seconds + ((seconds == 1) ? " second." : " seconds.");
	}

	private static Map<String, Object> values(Rejection rejection) {
		Map<String, Object> values = new LinkedHashMap<>();
		values.put(TITLE, rejection.title());
		if (rejection.retryAfter() != null) {
			values.put(RETRY_AFTER, rejection.retryAfter());
		}
		if (!rejection.violatedPolicies().isEmpty()) {
			values.put(VIOLATED_POLICIES, rejection.violatedPolicies());
		}
		return values;
	}

}
