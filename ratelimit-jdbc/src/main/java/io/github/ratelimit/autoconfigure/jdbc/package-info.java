/**
 * The wiring of the store in PostgreSQL.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
