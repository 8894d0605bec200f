/** Tests of what the starter adds to an application. */
@NullMarked
package io.github.ratelimit.starter;

import org.jspecify.annotations.NullMarked;
