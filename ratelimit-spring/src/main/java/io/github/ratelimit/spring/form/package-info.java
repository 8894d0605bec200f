/**
 * The forms that clients post, as far as keys of rules need them.
 */
@NullMarked
package io.github.ratelimit.spring.form;

import org.jspecify.annotations.NullMarked;
