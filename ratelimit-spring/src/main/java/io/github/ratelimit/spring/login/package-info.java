/**
 * Limits of wrong passwords around Spring Security's authentication.
 */
@NullMarked
package io.github.ratelimit.spring.login;

import org.jspecify.annotations.NullMarked;
