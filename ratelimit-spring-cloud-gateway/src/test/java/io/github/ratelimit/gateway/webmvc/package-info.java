/**
 * Tests of gateways on Spring MVC.
 */
@NullMarked
package io.github.ratelimit.gateway.webmvc;

import org.jspecify.annotations.NullMarked;
