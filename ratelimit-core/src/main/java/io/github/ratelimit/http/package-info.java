/**
 * The HTTP form of decisions: header values as pure text.
 */
@NullMarked
package io.github.ratelimit.http;

import org.jspecify.annotations.NullMarked;
