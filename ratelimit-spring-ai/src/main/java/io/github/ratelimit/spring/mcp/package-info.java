/**
 * Limits of the tools of MCP servers. Calls charge policies by the tool and its caller,
 * and denials are results that report an error.
 */
@NullMarked
package io.github.ratelimit.spring.mcp;

import org.jspecify.annotations.NullMarked;
