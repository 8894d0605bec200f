package io.github.ratelimit.doors;

/**
 * Runs in the profile {@code faults} alone, with Jetty on the class path.
 */
class AbortedRequestsOnJetty extends ServletAbortedRequestsContract {

}
