/**
 * Auto-configuration of the delivery of what keys have spent.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.consumption;

import org.jspecify.annotations.NullMarked;
