/**
 * The code of the page about message listeners.
 */
@NullMarked
package io.github.ratelimit.spring.listener.docs;

import org.jspecify.annotations.NullMarked;
