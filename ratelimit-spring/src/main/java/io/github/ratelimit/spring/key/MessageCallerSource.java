package io.github.ratelimit.spring.key;

/**
 * A source of the senders of messages. They have headers, but neither a request nor a
 * user.
 */
public interface MessageCallerSource extends CallerSource {

}
