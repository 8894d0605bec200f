/** Tests on a PostgreSQL server. */
@NullMarked
package io.github.ratelimit.jdbc;

import org.jspecify.annotations.NullMarked;
