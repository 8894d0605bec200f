package io.github.ratelimit.spring.mcp.docs;

import io.github.ratelimit.RateLimited;

import org.springframework.ai.mcp.annotation.McpTool;

/**
 * A tool with a limit of its own.
 */
class SearchTools {

	private final Archive archive;

	SearchTools(Archive archive) {
		this.archive = archive;
	}

	@McpTool(description = "Searches the archive")
	@RateLimited(policy = "searches", key = "#author")
	String search(String author) {
		return this.archive.search(author);
	}

	/** An archive of books. */
	interface Archive {

		String search(String author);

	}

}
