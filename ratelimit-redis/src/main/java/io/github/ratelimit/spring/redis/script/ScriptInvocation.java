package io.github.ratelimit.spring.redis.script;

/**
 * An invocation of a script, which is not compared with others.
 *
 * @param script the script
 * @param keys all keys that it touches
 * @param arguments its other arguments
 * @param requests the number of requests that it decides
 * @param waited the time that the first of them was queued, in nanoseconds
 */
@SuppressWarnings("ArrayRecordComponent")
public record ScriptInvocation(DecisionScript script, byte[][] keys, byte[][] arguments, int requests, long waited) {
}
