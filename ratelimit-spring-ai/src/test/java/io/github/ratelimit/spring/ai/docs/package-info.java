/**
 * Code that the documentation shows.
 */
@NullMarked
package io.github.ratelimit.spring.ai.docs;

import org.jspecify.annotations.NullMarked;
