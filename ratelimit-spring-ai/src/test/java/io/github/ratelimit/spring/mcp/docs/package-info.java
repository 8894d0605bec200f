/**
 * Code that the documentation shows.
 */
@NullMarked
package io.github.ratelimit.spring.mcp.docs;

import org.jspecify.annotations.NullMarked;
