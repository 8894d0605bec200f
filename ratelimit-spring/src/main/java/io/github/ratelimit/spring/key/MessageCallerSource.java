package io.github.ratelimit.spring.key;

/**
 * A source of callers outside requests, such as the senders of messages. An application
 * with no other source serves no requests, so its expressions have neither a request nor
 * a user.
 */
public interface MessageCallerSource extends CallerSource {

}
