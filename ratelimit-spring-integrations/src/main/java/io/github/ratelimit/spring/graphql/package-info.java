/**
 * Limits of GraphQL operations and fields, with denials as errors of the response.
 */
@NullMarked
package io.github.ratelimit.spring.graphql;

import org.jspecify.annotations.NullMarked;
