/**
 * Rules, rejections and headers for servlet applications. Its public types are for the
 * auto-configuration.
 */
@NullMarked
package io.github.ratelimit.spring.web.servlet;

import org.jspecify.annotations.NullMarked;
