/** Tests of the controls of operators. */
@NullMarked
package io.github.ratelimit.spring.control;

import org.jspecify.annotations.NullMarked;
