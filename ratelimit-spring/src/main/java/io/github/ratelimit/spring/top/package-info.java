/**
 * The keys of each policy that are denied most, in shadow too, and spend most, on one
 * instance and on all together. Public for the auto-configuration and the endpoint.
 */
@NullMarked
package io.github.ratelimit.spring.top;

import org.jspecify.annotations.NullMarked;
