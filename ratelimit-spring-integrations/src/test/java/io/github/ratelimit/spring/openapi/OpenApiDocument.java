package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

import com.jayway.jsonpath.DocumentContext;

/** A document as a client reads it. */
record OpenApiDocument(DocumentContext json) {

	/** Returns a part within the paths. */
	<T> T part(String... names) {
		return this.json.read("$.paths['" + String.join("']['", names) + "']");
	}

	Set<String> keys(String... names) {
		Map<String, Object> object = part(names);
		return object.keySet();
	}

	/** Returns the names of the policies in the extension of an operation. */
	List<String> policies(String path, String method) {
		List<Map<String, String>> policies = part(path, method, "x-ratelimit");
		return policies.stream().map((entry) -> entry.get("policy")).toList();
	}

}
