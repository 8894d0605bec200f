/**
 * What a decision looks like in HTTP: header values and problem details, as pure text.
 */
@NullMarked
package io.github.ratelimit.http;

import org.jspecify.annotations.NullMarked;
