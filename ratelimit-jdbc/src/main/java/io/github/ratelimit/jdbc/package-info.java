/**
 * The store in PostgreSQL.
 */
@NullMarked
package io.github.ratelimit.jdbc;

import org.jspecify.annotations.NullMarked;
