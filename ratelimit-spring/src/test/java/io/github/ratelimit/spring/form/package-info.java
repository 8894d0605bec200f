/**
 * Tests of forms.
 */
@NullMarked
package io.github.ratelimit.spring.form;

import org.jspecify.annotations.NullMarked;
