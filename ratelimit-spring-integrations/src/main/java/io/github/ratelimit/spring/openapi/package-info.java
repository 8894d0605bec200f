/**
 * Limits in OpenAPI documents. Customizers of springdoc document the rejections, the
 * headers and the policies of operations that annotations or rules limit.
 */
@NullMarked
package io.github.ratelimit.spring.openapi;

import org.jspecify.annotations.NullMarked;
