/**
 * What a limit is and how it is decided: the algorithms, each as pure arithmetic in Java
 * with a Lua twin beside it, and the values that carry their answers.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
