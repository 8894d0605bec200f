/**
 * Back-pressure for Kafka listeners. A record that a policy denies is sought back, and
 * its partition pauses until the record may be processed.
 */
@NullMarked
package io.github.ratelimit.spring.kafka;

import org.jspecify.annotations.NullMarked;
