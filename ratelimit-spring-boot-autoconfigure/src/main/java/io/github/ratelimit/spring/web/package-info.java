/**
 * What a denied call looks like over HTTP, on Servlet and WebFlux alike.
 */
@NullMarked
package io.github.ratelimit.spring.web;

import org.jspecify.annotations.NullMarked;
