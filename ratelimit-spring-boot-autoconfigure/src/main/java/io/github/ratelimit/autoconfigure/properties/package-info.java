/**
 * The {@code ratelimit.*} properties and the policies and rules read from them. Its
 * public types are for the auto-configuration.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
