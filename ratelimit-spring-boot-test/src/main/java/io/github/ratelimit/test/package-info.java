/**
 * Tests of an application's rate limits: a memory store on a clock that the test moves,
 * counts that start afresh with each test, and assertions on denied calls.
 */
@NullMarked
package io.github.ratelimit.test;

import org.jspecify.annotations.NullMarked;
