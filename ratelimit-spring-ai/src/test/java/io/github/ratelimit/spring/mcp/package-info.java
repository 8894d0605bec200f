/**
 * Tests of the limits of the tools of MCP servers.
 */
@NullMarked
package io.github.ratelimit.spring.mcp;

import org.jspecify.annotations.NullMarked;
