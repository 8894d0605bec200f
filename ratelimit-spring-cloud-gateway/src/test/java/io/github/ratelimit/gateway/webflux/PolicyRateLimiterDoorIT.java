package io.github.ratelimit.gateway.webflux;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PolicyRateLimiterDoorIT extends PolicyRateLimiterDoorTests implements CountsInRedis {

}
