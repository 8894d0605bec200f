/**
 * Tests of limits in OpenAPI documents.
 */
@NullMarked
package io.github.ratelimit.spring.openapi;

import org.jspecify.annotations.NullMarked;
