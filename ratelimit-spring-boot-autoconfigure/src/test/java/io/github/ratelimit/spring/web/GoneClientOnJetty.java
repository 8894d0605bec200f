package io.github.ratelimit.spring.web;

/**
 * Runs in the profile {@code faults} alone, with Jetty on the class path.
 */
class GoneClientOnJetty extends GoneClientIT {

}
