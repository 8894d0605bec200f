/**
 * Who is limited: how a call's key is found from what is known of the call.
 */
@NullMarked
package io.github.ratelimit.key;

import org.jspecify.annotations.NullMarked;
