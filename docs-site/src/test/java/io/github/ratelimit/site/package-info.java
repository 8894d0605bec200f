/**
 * Tests of the rendered site.
 */
@NullMarked
package io.github.ratelimit.site;

import org.jspecify.annotations.NullMarked;
