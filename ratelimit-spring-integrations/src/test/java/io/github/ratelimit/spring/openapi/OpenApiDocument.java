package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

import com.jayway.jsonpath.DocumentContext;

/** A document as a client reads it. */
record OpenApiDocument(DocumentContext json) {

	/** Returns a part within the paths. */
	Object part(String... names) {
		return this.json.read(path(names));
	}

	/** Returns an object within the paths. */
	Map<String, Object> object(String... names) {
		return this.json.read(path(names));
	}

	Set<String> keys(String... names) {
		return object(names).keySet();
	}

	/** Returns the names of the policies in the extension of an operation. */
	List<String> policies(String path, String method) {
		List<Map<String, String>> policies = this.json.read(path(path, method, "x-ratelimit"));
		return policies.stream().map((entry) -> entry.get("policy")).toList();
	}

	private static String path(String... names) {
		return "$.paths['" + String.join("']['", names) + "']";
	}

}
