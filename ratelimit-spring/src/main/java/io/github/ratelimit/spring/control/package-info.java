/**
 * Controls that operators set while the application runs, on all instances: bans, limits
 * and grants of single callers, and changes of policies. Public for the
 * auto-configuration and the endpoint; applications use
 * {@link io.github.ratelimit.spring.control.Controls}.
 */
@NullMarked
package io.github.ratelimit.spring.control;

import org.jspecify.annotations.NullMarked;
