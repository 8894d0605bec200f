/**
 * The wiring of limits on wrong passwords.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.login;

import org.jspecify.annotations.NullMarked;
