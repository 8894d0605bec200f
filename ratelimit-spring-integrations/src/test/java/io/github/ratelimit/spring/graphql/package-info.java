/**
 * Tests of the limits in Spring GraphQL.
 */
@NullMarked
package io.github.ratelimit.spring.graphql;

import org.jspecify.annotations.NullMarked;
